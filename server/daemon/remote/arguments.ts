import { z } from 'zod';
import type { RemoteCall, RemoteMethod, RemoteParameter } from '../../remote/method.ts';
import { RemoteFailure } from './failure.ts';

/** Identifiers compare in lower case. */
export const id = z.string().min(1).max(200).toLowerCase();
export const optionalChannel = z.int().min(0).max(65_535).nullish();

/** Checks arguments against a schema. Throws RemoteFailure `invalid_argument` that names the first that is wrong. */
export function parse<Schema extends z.ZodType>(schema: Schema, args: unknown): z.output<Schema> {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.path.join('.') ?? '';
  throw new RemoteFailure('invalid_argument', `${name}: ${issue?.message ?? 'not usable'}`);
}

interface Declared<Schema extends z.ZodType> {
  parameters: readonly (string | RemoteParameter)[];
  schema: Schema;
  run: (args: z.output<Schema>, call: RemoteCall) => Promise<unknown>;
}

/** A remote method whose arguments are checked before it runs; a parameter given by name alone must be sent. */
export function method<Schema extends z.ZodType>({ parameters, schema, run }: Declared<Schema>): RemoteMethod {
  return {
    parameters: parameters.map((parameter) => (typeof parameter === 'string' ? { name: parameter } : parameter)),
    handler: async (args, call) => run(parse(schema, args), call),
  };
}

/** A remote method without parameters. */
export function question(answer: (call: RemoteCall) => unknown): RemoteMethod {
  return { parameters: [], handler: async (_args, call) => answer(call) };
}

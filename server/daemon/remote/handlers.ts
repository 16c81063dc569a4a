import { z } from 'zod';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import { remoteMethods } from '../../contract/remote/index.ts';
import type { ArgumentsOf, DeclaredMethod, DeclaredMethods } from '../../contract/remote/method.ts';
import type { RemoteCall, RemoteMethod } from '../../remote/method.ts';

/** The handlers of a list of methods: one function each, which receives its arguments by name and validated. */
export type HandlersOf<Methods extends DeclaredMethods> = {
  [Name in keyof Methods]: (
    args: ArgumentsOf<Methods[Name]>,
    call: RemoteCall,
  ) => Promise<z.input<Methods[Name]['answer']>> | z.input<Methods[Name]['answer']>;
};

export type RemoteHandlers = HandlersOf<typeof remoteMethods>;

type AnyHandler = (args: never, call: RemoteCall) => unknown;

/**
 * Every declared method with its handler. One without a handler stays listed, as programs look it up, and fails when
 * called.
 */
export function methodTable(handlers: Partial<RemoteHandlers>): Record<string, RemoteMethod> {
  const given = new Map<string, AnyHandler>(Object.entries(handlers));
  return Object.fromEntries(
    Object.entries(remoteMethods).map(([name, declared]) => {
      const handler = given.get(name);
      return [name, handler === undefined ? unavailable(name, declared) : served(declared, handler)];
    }),
  );
}

function served({ parameters }: DeclaredMethod, handler: AnyHandler): RemoteMethod {
  const schema = z.object(Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])));
  return {
    parameters,
    handler: async (args, call) => handler(parse(schema, args) as never, call), // the list that gave the schema gave the type
  };
}

function unavailable(name: string, { parameters }: DeclaredMethod): RemoteMethod {
  return {
    parameters,
    handler: async () => {
      throw new RemoteFailure('not_available', `${name} is not available in this daemon`);
    },
  };
}

/** Checks arguments against a schema. Throws RemoteFailure `invalid_argument` naming the first wrong one. */
export function parse<Schema extends z.ZodType>(schema: Schema, args: unknown): z.output<Schema> {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.path.join('.') ?? '';
  throw new RemoteFailure('invalid_argument', `${name}: ${issue?.message ?? 'not usable'}`);
}

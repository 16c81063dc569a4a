import type { z } from 'zod';

export interface RemoteParameter<Name extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly name: Name;
  readonly schema: Schema;
  /** Only the service may send a value other than the default; the command line does not offer it. */
  readonly isForService?: true;
}

/** An optional parameter. Programs give it by position or by name, `DaemonControl` by name. */
export interface OptionalParameter<
  Name extends string = string,
  Schema extends z.ZodType = z.ZodType,
> extends RemoteParameter<Name, Schema> {
  readonly default: z.input<Schema>;
}

/**
 * One method of the daemon's remote object as data: the source of the daemon's table with its checks of arguments, the
 * types of its handler and of the services' ports, `DaemonControl` and the command line with its help.
 */
export interface DeclaredMethod<
  Parameters extends readonly RemoteParameter[] = readonly RemoteParameter[],
  Answer extends z.ZodType = z.ZodType,
> {
  /** What it does, in a line for the help. */
  readonly does: string;
  /** Who may call it: programs of this machine, or also those of others. The service may call all. */
  readonly access: 'loopback' | 'network';
  /** In the order of positional arguments; optional ones come last. */
  readonly parameters: Parameters;
  readonly answer: Answer;
  /** The parameter that names what a program acts on. When set, the call is published as an event of kind `program`. */
  readonly actsOn?: Parameters[number]['name'];
}

export type DeclaredMethods = Readonly<Record<string, DeclaredMethod>>;

/** Infers the types of a declaration, so that they are not written twice. */
export function remoteMethod<const Parameters extends readonly RemoteParameter[], Answer extends z.ZodType>(
  declared: DeclaredMethod<Parameters, Answer>,
): DeclaredMethod<Parameters, Answer> {
  return declared;
}

export function required<const Name extends string, Schema extends z.ZodType>(
  name: Name,
  schema: Schema,
): RemoteParameter<Name, Schema> {
  return { name, schema };
}

/** `fallback` is the daemon's default. */
export function optional<const Name extends string, Schema extends z.ZodType>(
  name: Name,
  schema: Schema,
  fallback: z.input<Schema>,
): OptionalParameter<Name, Schema> {
  return { name, schema, default: fallback };
}

/** Positional arguments of `DaemonControl`: in the form after validation, and omitted rather than null. */
type Positions<Parameters extends readonly RemoteParameter[]> = Parameters extends readonly [
  infer First extends RemoteParameter,
  ...infer Rest extends readonly RemoteParameter[],
]
  ? First extends OptionalParameter
    ? [NonNullable<z.output<First['schema']>>?, ...Positions<Rest>]
    : [z.output<First['schema']>, ...Positions<Rest>]
  : [];

/** Arguments by name, validated, as a handler receives them. */
export type ArgumentsOf<Declared extends DeclaredMethod> = {
  [Parameter in Declared['parameters'][number] as Parameter['name']]: z.output<Parameter['schema']>;
};

/** A list of methods as functions of a client. */
export type CallsOf<Methods extends DeclaredMethods> = {
  [Name in keyof Methods]: (
    ...args: Positions<Methods[Name]['parameters']>
  ) => Promise<z.output<Methods[Name]['answer']>>;
};

import { isRecord, RemoteError } from './exception.ts';

/** A parameter with the property `default` is optional, whatever the default is. */
export interface RemoteParameter {
  readonly name: string;
  readonly default?: unknown;
}

export interface RemoteCall {
  /** Aborted when the caller disconnects (not for a oneway call, which outlives it) and when the server stops. */
  readonly signal: AbortSignal;
  /** Address and port of the caller. */
  readonly peer: string;
  /** The caller as the server's `admit` identified it; empty without `admit`. */
  readonly caller: string;
}

/** One callable method: the declaration binds the arguments, the handler gets every parameter by name. */
export interface RemoteMethod {
  readonly parameters: readonly RemoteParameter[];
  /** Python clients then send the call without waiting for an answer. */
  readonly oneway?: boolean;
  /**
   * An Error thrown with a lower-case `code` reaches the caller with that code; any other is reported as
   * `internal_error` without its text.
   */
  readonly handler: (args: Record<string, unknown>, call: RemoteCall) => Promise<unknown>;
}

export type MethodTable = ReadonlyMap<string, RemoteMethod>;

/**
 * Binds arguments as Python does. Throws RemoteError `invalid_argument` on too many, an unknown or a doubled name, and
 * a missing one; the handler checks the values.
 */
export function bindArguments(
  parameters: readonly RemoteParameter[],
  positional: readonly unknown[],
  keywords: unknown,
): Record<string, unknown> {
  if (positional.length > parameters.length) {
    throw invalid(`takes ${parameters.length} arguments, ${positional.length} were given`);
  }
  const given = new Map<string, unknown>();
  for (const [index, { name }] of parameters.entries()) {
    if (index < positional.length) given.set(name, positional[index]);
  }
  for (const [name, value] of keywordEntries(keywords)) {
    if (!parameters.some((parameter) => parameter.name === name)) throw invalid(`unknown argument '${name}'`);
    if (given.has(name)) throw invalid(`argument '${name}' was given twice`);
    given.set(name, value);
  }
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, valueOf(parameter, given)]));
}

function valueOf(parameter: RemoteParameter, given: ReadonlyMap<string, unknown>): unknown {
  if (given.has(parameter.name)) return given.get(parameter.name);
  if ('default' in parameter) return parameter.default;
  throw invalid(`argument '${parameter.name}' is missing`);
}

function keywordEntries(keywords: unknown): [string, unknown][] {
  if (keywords === null || keywords === undefined) return [];
  if (!isRecord(keywords)) throw invalid('keyword arguments are a dictionary with text keys');
  return Object.entries(keywords);
}

function invalid(message: string): RemoteError {
  return new RemoteError('invalid_argument', message);
}

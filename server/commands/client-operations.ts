import { z } from 'zod';
import { remoteMethods, type RemoteMethodName } from '../contract/remote/index.ts';
import type { OptionalParameter, RemoteParameter } from '../contract/remote/method.ts';

type Kind = 'text' | 'number' | 'switch' | 'json';

interface Parameter {
  name: string;
  kind: Kind;
  isOptional: boolean;
  isOffered: boolean;
  /** What the command line sends when the argument is left out. */
  fallback: unknown;
}

/** Defaults of the command line alone: everything that is kept, without waiting for more. */
const ownDefaults: Partial<Record<RemoteMethodName, Readonly<Record<string, unknown>>>> = {
  events_since: { cursor: '', wait_s: 0 },
};

/**
 * The help: each operation with its arguments, `[name]` when optional, `:number`, `:switch` or `:json` when not text.
 */
export function operationsHelp(): string[] {
  return Object.entries(remoteMethods)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, { does }]) => {
      const takes = parametersOf(name as RemoteMethodName) // the keys of the list
        .filter(({ isOffered }) => isOffered)
        .map(shown);
      return `  ${[name, ...takes].join(' ')}\n      ${does}`;
    });
}

function shown({ name, kind, isOptional }: Parameter): string {
  const typed = kind === 'text' ? name : `${name}:${kind}`;
  return isOptional ? `[${typed}]` : typed;
}

/**
 * The arguments of a call from the words of a command line: in order, or as `name=value`. Throws an Error that says
 * what is wrong.
 */
export function argumentsOf(name: RemoteMethodName, words: readonly string[]): unknown[] {
  const parameters = parametersOf(name);
  const given = new Map<string, string>();
  const offered = parameters.filter(({ isOffered }) => isOffered);
  for (const word of words) {
    const named = offered.find((parameter) => word.startsWith(`${parameter.name}=`));
    const parameter = named ?? offered.find((one) => !given.has(one.name));
    if (parameter === undefined) throw new Error(`"${word}" is too much`);
    if (given.has(parameter.name)) throw new Error(`${parameter.name} is given twice`);
    given.set(parameter.name, named ? word.slice(named.name.length + 1) : word);
  }
  return parameters.map((parameter) => valueOf(parameter, given.get(parameter.name)));
}

function parametersOf(name: RemoteMethodName): Parameter[] {
  const own = ownDefaults[name] ?? {};
  const declared: readonly (RemoteParameter | OptionalParameter)[] = remoteMethods[name].parameters;
  return declared.map((parameter) => ({
    name: parameter.name,
    kind: kindOf(parameter.schema),
    isOptional: 'default' in parameter || parameter.name in own,
    isOffered: parameter.isForService !== true,
    fallback: own[parameter.name],
  }));
}

/** How a word becomes a value: as JSON if the schema takes several types, except that 0 and 1 mean off and on. */
function kindOf(schema: z.ZodType): Kind {
  const types = typesOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  if (types.has('boolean')) return 'switch';
  if (types.size !== 1) return 'json';
  if (types.has('string')) return 'text';
  return types.has('number') || types.has('integer') ? 'number' : 'json';
}

function typesOf({ type, anyOf }: z.core.JSONSchema.BaseSchema): Set<string> {
  const parts = anyOf?.filter((part) => typeof part !== 'boolean').flatMap((part) => [...typesOf(part)]);
  const types = new Set(parts ?? [type].flat().filter((one) => one !== undefined));
  types.delete('null');
  return types;
}

function valueOf({ name, kind, isOptional, fallback }: Parameter, word: string | undefined): unknown {
  if (word === undefined) {
    if (isOptional) return fallback;
    throw new Error(`${name} is missing`);
  }
  if (kind === 'number') return numberOf(name, word);
  if (kind === 'switch') return switchOf(name, word);
  if (kind === 'json') return jsonOf(name, word);
  return word;
}

function numberOf(name: string, word: string): number {
  const value = Number(word);
  if (word.trim() !== '' && Number.isFinite(value)) return value;
  throw new Error(`${name} is a number, not "${word}"`);
}

function switchOf(name: string, word: string): boolean {
  if (['on', 'true', 'yes', '1'].includes(word)) return true;
  if (['off', 'false', 'no', '0'].includes(word)) return false;
  throw new Error(`${name} is on or off, not "${word}"`);
}

/** A word that is not JSON, such as the id of a method, is text. */
function jsonOf(name: string, word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    if (/^[[{]/.test(word)) throw new Error(`${name} is no JSON`);
    return word;
  }
}

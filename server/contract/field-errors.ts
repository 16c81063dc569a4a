import type { z } from 'zod';
import { type FieldError, type ReasonFields, Refusal } from './errors.ts';

/** A body can break the rules in every field; more errors than these would not help. */
const mostErrors = 50;

/** `sensors[0].device_id` for ['sensors', 0, 'device_id']. */
export function fieldPath(keys: readonly PropertyKey[]): string {
  return keys
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

/**
 * Parses input, or throws a refusal with every fault: `unknown_field` if any field is unknown, else `invalid_field`.
 * `prefix` is the path of the value in the request.
 */
export function parseOrRefuse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  prefix: readonly PropertyKey[] = [],
): z.infer<Schema> {
  const result = schema.safeParse(value, { error: wordIssue, reportInput: true });
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => fieldErrors(issue, prefix)).slice(0, mostErrors);
  const first = errors.find((one) => one.code === 'unknown_field') ?? errors[0];
  const code = first?.code === 'unknown_field' ? 'unknown_field' : 'invalid_field';
  throw new Refusal(code, first ? `${first.path} ${first.message}`.trim() : 'invalid input', { errors });
}

const isUnknown = 'is not a known field';

function fieldErrors(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): FieldError[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => fieldError([...path, key], 'unknown_field', isUnknown));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0 && !isMissing(issue)) {
    return branchErrors(issue.errors, path);
  }
  const code = isMissing(issue) ? 'required' : codes[issue.code];
  return [{ ...fieldError(path, code, issue.message), ...limitOf(issue), ...reasonOf(issue) }];
}

/** Why a rule of its own refuses a value, where it says so (`ruled`). */
export function reasonOf(issue: z.core.$ZodIssue & { params?: Record<string, unknown> | undefined }): ReasonFields {
  return issue.params?.['why'] === undefined ? {} : issue.params;
}

/** The limit that a value does not keep, as data, so that a page can say it in its language. */
function limitOf(issue: z.core.$ZodIssue): Pick<FieldError, 'values'> {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return {};
  const isOpen = issue.inclusive === false;
  const limit =
    issue.code === 'too_small'
      ? { [isOpen ? 'above' : 'at_least']: Number(issue.minimum) }
      : { [isOpen ? 'below' : 'at_most']: Number(issue.maximum) };
  return { values: { ...limit, of: countedOf(issue.origin) } };
}

function countedOf(origin: string): 'number' | 'characters' | 'entries' {
  if (origin === 'string') return 'characters';
  return ['array', 'set', 'object'].includes(origin) ? 'entries' : 'number';
}

/** The faults of a union: an invalid discriminating word, else those of the branch that was probably meant. */
function branchErrors(branches: readonly z.core.$ZodIssue[][], path: readonly PropertyKey[]): FieldError[] {
  const words = telling(branches);
  const [first] = words;
  if (first === undefined) return closest(branches).flatMap((inner) => fieldErrors(inner, path));
  const message = isMissing(first) ? first.message : oneOf(words.flatMap(({ values }) => values));
  const word = fieldError([...path, ...first.path], isMissing(first) ? 'required' : codes[first.code], message);
  return [word, ...unknownToAll(branches).map((key) => fieldError([...path, key], 'unknown_field', isUnknown))];
}

function unknownToAll(branches: readonly z.core.$ZodIssue[][]): string[] {
  const [first = [], ...others] = branches.map((branch) =>
    branch.flatMap((issue) => (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [])),
  );
  return first.filter((key) => others.every((keys) => keys.includes(key)));
}

type WordIssue = Extract<z.core.$ZodIssue, { code: 'invalid_value' }>;

/** For each branch its issue with the field in which all find an invalid word; empty when there is no such field. */
function telling(branches: readonly z.core.$ZodIssue[][]): WordIssue[] {
  const wrong = branches.map((branch) => branch.filter((issue) => issue.code === 'invalid_value'));
  const common = wrong[0]?.find(({ path }) =>
    wrong.every((branch) => branch.some((one) => isSamePath(one.path, path))),
  );
  if (common === undefined) return [];
  return wrong.flatMap((branch) => branch.filter(({ path }) => isSamePath(path, common.path)));
}

function isSamePath(one: readonly PropertyKey[], other: readonly PropertyKey[]): boolean {
  return one.length > 0 && fieldPath(one) === fieldPath(other);
}

function isMissing({ input, code }: { input?: unknown; code?: string }): boolean {
  return input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(code ?? '');
}

/** Codes of field faults, on which programs may rely; rules over several fields report that the value does not fit. */
const codes: Readonly<Record<z.core.$ZodIssue['code'], string>> = {
  invalid_type: 'invalid_type',
  invalid_value: 'invalid_value',
  invalid_format: 'invalid_format',
  invalid_union: 'invalid_union',
  invalid_key: 'invalid_key',
  invalid_element: 'invalid_element',
  too_big: 'too_big',
  too_small: 'too_small',
  not_multiple_of: 'not_multiple_of',
  unrecognized_keys: 'unknown_field',
  custom: 'invalid_value',
};

function fieldError(path: readonly PropertyKey[], code: string, message: string): FieldError {
  return { path: fieldPath(path), code, message };
}

/** The branch of a union that the sender probably meant: the one with the fewest faults. */
function closest(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] {
  return branches.reduce((best, branch) => (branch.length < best.length ? branch : best));
}

/** Words a fault so that it reads after the field's name; a message of the schema itself takes precedence. */
function wordIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (isMissing(issue)) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nouns[issue.expected] ?? article(issue.expected)}`;
    case 'too_small':
      return `must ${bound(issue.origin, issue.inclusive === false ? 'greater than' : 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return `must be ${article(issue.format === 'regex' ? 'text of the documented form' : issue.format)}`;
    case 'invalid_key':
      return 'has a name that is not allowed';
    case 'invalid_union':
      return 'is none of the allowed forms';
    default:
      return undefined;
  }
}

/** Names of types for people, where JSON's differ. */
const nouns: Readonly<Record<string, string>> = {
  record: 'an object',
  object: 'an object',
  array: 'a list',
  tuple: 'a list',
  int: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  null: 'null',
};

function oneOf(values: readonly unknown[]): string {
  const words = [...new Set(values.map(String))];
  return `must be ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`;
}

function bound(origin: string, relation: string, limit: number | bigint): string {
  const isOne = Number(limit) === 1;
  switch (countedOf(origin)) {
    case 'characters':
      return `have ${relation} ${limit} ${isOne ? 'character' : 'characters'}`;
    case 'entries':
      return `have ${relation} ${limit} ${isOne ? 'entry' : 'entries'}`;
    case 'number':
      return `be ${relation} ${limit}`;
  }
}

function article(noun: string): string {
  if (noun.startsWith('text ')) return noun;
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

import { z } from 'zod';

/**
 * The faults of a text in the language of expressions and statements, in English; placeholders in braces are the
 * `values` of a fault, with which a page words it in any language.
 */
const statementFaults = {
  too_long: 'is longer than {most} characters',
  too_many_parts: 'has more than {most} parts',
  too_deep: 'is nested too deeply',
  syntax: '{said}',
  not_a_statement: 'is no statement of this language: there are let, if, else and run',
  does_nothing: 'does nothing: only run(...) acts',
  let_form: 'must be: let name = value;',
  run_form: 'must be: run(action); or run(action, value);',
  name_taken: '{name} is the name of something else',
  name_reserved: '{name} means something else in a statement: choose another name',
  unknown_action: 'there is no action {name}, only {known}',
  no_actions: 'there is no action {name}',
  unknown_name: 'there is no {name}, only {known}',
  no_names: 'there is no {name}, only numbers',
  not_an_expression: 'is not one expression of numbers',
  other_type: 'a {needed} is needed where a {found} stands',
  list_given: 'a number or a truth is needed where a list stands',
  number_too_large: 'is too large a number',
  not_a_number: '{text} is not a number',
  unknown_word: '{name} is not known here',
  only_functions: 'only functions can be called',
  two_values: '{name} takes two values',
  other_count: '{name} takes another number of values',
} as const;
export type StatementFaultCode = keyof typeof statementFaults;
const codes = Object.keys(statementFaults) as [StatementFaultCode, ...StatementFaultCode[]]; // of a const object

export const statementFault = z.strictObject({
  line: z.int().min(1).max(10_001).describe('Counted from 1'),
  column: z.int().min(1).max(10_001).describe('Counted from 1'),
  code: z.enum(codes),
  values: z.record(z.string(), z.string()).describe('What the places of its sentence stand for'),
  message: z.string().describe('The same in English'),
});
export type StatementFault = z.infer<typeof statementFault>;

/** A fault with its sentence. */
export function faultOf(
  place: Pick<StatementFault, 'line' | 'column'>,
  code: StatementFaultCode,
  values: Readonly<Record<string, string>> = {},
): StatementFault {
  const message = statementFaults[code].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return { line: place.line, column: place.column, code, values: { ...values }, message };
}

const valueType = z.enum(['number', 'boolean', 'list']);

/** The words of the language beside the names of conditions and actions, for completion. */
export const statementLanguage = z.strictObject({
  words: z.array(z.string()).describe('Of statements, and values that have a name'),
  functions: z.array(
    z.strictObject({
      name: z.string(),
      takes: valueType.nullable().describe('Each of its values; null where any will do'),
      least: z.int().min(0).max(100).describe('Fewest values, 0 to 100'),
      most: z.int().min(0).max(100).describe('Most values, 0 to 100'),
      gives: valueType.nullable().describe('null where it is what it was given'),
    }),
  ),
  operators: z.array(z.string()),
});
export type StatementLanguage = z.infer<typeof statementLanguage>;

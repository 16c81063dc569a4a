/** null is a missing value: it is not a number, and whatever is calculated from it is missing too. */
export type Value = number | boolean | readonly number[] | null;
export type ValueType = 'number' | 'boolean' | 'list';

/** Makes one value from others, none of which is missing. A result that is not a number is missing. */
export interface Operation {
  takes: ValueType;
  least: number;
  most: number;
  gives: 'number' | 'boolean';
  run: (...values: never[]) => number | boolean;
}

const many = 20;

const number = (run: (...values: number[]) => number, least: number, most = least): Operation => ({
  takes: 'number',
  gives: 'number',
  least,
  most,
  run,
});
const comparison = (run: (a: number, b: number) => boolean): Operation => ({
  takes: 'number',
  gives: 'boolean',
  least: 2,
  most: 2,
  run,
});
const ofList = (run: (list: readonly number[]) => number): Operation => ({
  takes: 'list',
  gives: 'number',
  least: 1,
  most: 1,
  run,
});

const binary = (run: (a: number, b: number) => number): Operation => number((a = NaN, b = NaN) => run(a, b), 2);
const unary = (run: (a: number) => number): Operation => number((a = NaN) => run(a), 1);
const total = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0);

/** Operators that need all their values; `&&`, `||`, `? :` and comparisons with `missing` do not. */
export const operators: ReadonlyMap<string, Operation> = new Map([
  ['+', binary((a, b) => a + b)],
  ['-', binary((a, b) => a - b)],
  ['*', binary((a, b) => a * b)],
  ['/', binary((a, b) => a / b)],
  ['%', binary((a, b) => a % b)],
  ['**', binary((a, b) => a ** b)],
  ['<', comparison((a, b) => a < b)],
  ['<=', comparison((a, b) => a <= b)],
  ['>', comparison((a, b) => a > b)],
  ['>=', comparison((a, b) => a >= b)],
  ['==', comparison((a, b) => a === b)],
  ['!=', comparison((a, b) => a !== b)],
  ['unary -', unary((a) => -a)],
  ['unary +', unary((a) => a)],
  ['unary !', { takes: 'boolean', gives: 'boolean', least: 1, most: 1, run: (a: boolean) => !a }],
]);

export const functions: ReadonlyMap<string, Operation> = new Map([
  ['abs', unary(Math.abs)],
  ['sqrt', unary(Math.sqrt)],
  ['exp', unary(Math.exp)],
  ['ln', unary(Math.log)],
  ['log10', unary(Math.log10)],
  ['floor', unary(Math.floor)],
  ['ceil', unary(Math.ceil)],
  ['round', unary(Math.round)],
  ['min', number(Math.min, 1, many)],
  ['max', number(Math.max, 1, many)],
  ['clamp', number((value = NaN, low = NaN, high = NaN) => Math.min(Math.max(value, low), high), 3)],
  ['count', ofList((list) => list.length)],
  ['total', ofList(total)],
  ['mean', ofList((list) => total(list) / list.length)],
  ['least', ofList((list) => list.reduce((least, value) => Math.min(least, value), Infinity))],
  ['most', ofList((list) => list.reduce((most, value) => Math.max(most, value), -Infinity))],
  ['first', ofList((list) => list[0] ?? NaN)],
  ['last', ofList((list) => list.at(-1) ?? NaN)],
]);

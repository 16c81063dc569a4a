export type ValueType = 'number' | 'boolean';

/** Something that makes one value of others; truth comes as 1 and 0. */
export interface Operation {
  takes: ValueType;
  least: number;
  most: number;
  gives: ValueType;
  run: (...values: number[]) => number | boolean;
}

const MANY = 20;

const number = (run: (...values: number[]) => number, least: number, most = least): Operation => ({
  ...{ takes: 'number', gives: 'number', least, most, run },
});
const comparison = (run: (a: number, b: number) => boolean): Operation => ({
  ...{ takes: 'number', gives: 'boolean', least: 2, most: 2, run: (a = NaN, b = NaN) => run(a, b) },
});
const logic = (run: (...values: number[]) => boolean, least: number): Operation => ({
  ...{ takes: 'boolean', gives: 'boolean', least, most: least, run },
});

const binary = (run: (a: number, b: number) => number): Operation => number((a = NaN, b = NaN) => run(a, b), 2);
const unary = (run: (a: number) => number): Operation => number((a = NaN) => run(a), 1);

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
  ['&&', logic((a, b) => a === 1 && b === 1, 2)],
  ['||', logic((a, b) => a === 1 || b === 1, 2)],
  ['unary -', unary((a) => -a)],
  ['unary +', unary((a) => a)],
  ['unary !', logic((a) => a !== 1, 1)],
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
  ['min', number(Math.min, 1, MANY)],
  ['max', number(Math.max, 1, MANY)],
  ['clamp', number((value = NaN, low = NaN, high = NaN) => Math.min(Math.max(value, low), high), 3)],
]);

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Value, ValueType } from '../../../../server/domain/expression/operations.ts';
import { explained } from '../../../../server/domain/control/reason-text.ts';
import { compileStatement, type StatementNames } from '../../../../server/domain/expression/statement.ts';
import type { Place } from '../../../../server/domain/expression/syntax.ts';

const conditions = new Map<string, ValueType>([
  ['t', 'number'],
  ['rh', 'number'],
  ['lamp', 'boolean'],
  ['day', 'list'],
]);
const names: StatementNames = { conditions, actions: new Set(['heat', 'vent', 'warn']) };
const numRuns = process.env['TEST_SCALE'] === 'long' ? 100_000 : 2_000;

/** Of a list, how many numbers of it a program has looked at. */
let lookedAt = 0;
class WatchedList extends Array<number> {
  override reduce(...given: unknown[]): never {
    lookedAt += this.length;
    return Reflect.apply(Array.prototype.reduce, this, given) as never; // whatever the program adds up
  }
}

/** What a program could reach of the world around it. */
const world = (): string =>
  [globalThis, Object.prototype, Function.prototype, Array.prototype, Number.prototype]
    .map((one) => Reflect.ownKeys(one).map(String).join())
    .join('\n');

/** Sentences of the language itself, well typed for the most part. */
const grammar = fc.letrec<{ number: string; truth: string; statement: string }>((tie) => ({
  number: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('t', 'rh', '0', '1', '17.5', '1e308', 'mean(day)', 'count(day)', 'last(day)'),
    fc
      .tuple(tie('number'), fc.constantFrom('+', '-', '*', '/', '%', '**'), tie('number'))
      .map((all) => `(${all.join(' ')})`),
    fc
      .tuple(fc.constantFrom('abs', 'sqrt', 'ln', 'exp', 'round', '-'), tie('number'))
      .map(([name, one]) => `${name}(${one})`),
    fc
      .tuple(fc.constantFrom('min', 'max', 'otherwise'), tie('number'), tie('number'))
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
    fc.tuple(tie('truth'), tie('number'), tie('number')).map(([test, a, b]) => `(${test} ? ${a} : ${b})`),
  ),
  truth: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('lamp', 'true', 'false', 't == missing', 'lamp != missing'),
    fc
      .tuple(tie('number'), fc.constantFrom('<', '<=', '>', '>=', '==', '!='), tie('number'))
      .map((all) => all.join(' ')),
    fc.tuple(tie('truth'), fc.constantFrom('&&', '||'), tie('truth')).map((all) => `(${all.join(' ')})`),
    tie('truth').map((one) => `!(${one})`),
  ),
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('heat', 'vent', 'warn').map((action) => `run(${action});`),
    fc
      .tuple(fc.constantFrom('heat', 'vent'), fc.oneof(tie('number'), tie('truth')))
      .map(([action, value]) => `run(${action}, ${value});`),
    fc
      .tuple(tie('truth'), tie('statement'), tie('statement'))
      .map(([test, a, b]) => `if (${test}) { ${a} }\nelse { ${b} }`),
    tie('number').map((value) => `{ let v = ${value}; run(heat, v); }`),
    fc.tuple(tie('statement'), tie('statement')).map((all) => all.join('\n')),
  ),
}));

/** What JavaScript could do and the language may not. */
const hostile = fc.constantFrom(
  ...[
    'constructor',
    '__proto__',
    'prototype',
    'globalThis',
    'process',
    'this',
    'arguments',
    'eval',
    'Function',
    'import("fs")',
  ],
  ...[
    't.constructor',
    'day["constructor"]',
    't["__proto__"]',
    '[].constructor.constructor("return this")()',
    '`${t}`',
    '/(a+)+$/',
  ],
  ...[
    '(() => { while (true) {} })()',
    'new Date()',
    'await t',
    'yield',
    'class X {}',
    'for (;;) {}',
    'while (true) {}',
    'do {} while (1)',
  ],
  ...[
    't = 1',
    't++',
    'delete t',
    'void 0',
    'typeof t',
    'throw t',
    'try {} catch {}',
    'with (day) {}',
    'debugger',
    'label: run(heat)',
  ],
  ...[
    '...day',
    '{a: 1}',
    '[1, 2]',
    '"text"',
    '1n',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '\\u0074',
    '#t',
    '@t',
    '=>',
    '?.',
    '??',
  ],
  ...[
    'var x = 1;',
    'const {a} = t;',
    'let [b] = day;',
    'function f() {}',
    'async () => {}',
    'function* g() {}',
    'return',
    'super',
    'export {}',
  ],
  ...[
    '(',
    ')',
    '{',
    '}',
    ';',
    ',',
    '\n',
    '\r\n',
    '\u2028',
    '\0',
    '😀',
    '<!--',
    '//',
    '/*',
    '*/',
    '(((((',
    '!'.repeat(50),
  ],
);

/** Something put in, taken out or said twice, at any place. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(12),
  put: fc.oneof(hostile, fc.constant('')),
  isTwice: fc.boolean(),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer One> ? One : never;

function mutated(text: string, { at, length, put, isTwice }: Mutation): string {
  const from = Math.floor(at * text.length);
  const piece = text.slice(from, from + length);
  return text.slice(0, from) + put + (isTwice ? piece + piece : '') + text.slice(from + length);
}

const mutant = fc
  .tuple(grammar.statement, fc.array(mutation, { minLength: 1, maxLength: 3 }))
  .map(([text, changes]) => changes.reduce(mutated, text));
const soup = fc
  .array(fc.oneof(hostile, grammar.number, fc.string({ unit: 'binary', maxLength: 10 })), { maxLength: 8 })
  .map((all) => all.join(' '));

const number = fc.constantFrom<Value>(null, 0, -1, 17.2, 1e300, NaN);
const values = fc.tuple(
  number,
  number,
  fc.constantFrom<Value>(null, true, false),
  fc.constantFrom<Value>(null, WatchedList.from([1, 2, 3])),
);

function expectWithin(text: string, { line, column }: Place): void {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  expect(line).toBeGreaterThanOrEqual(1);
  expect(line).toBeLessThanOrEqual(lines.length);
  expect(column).toBeGreaterThanOrEqual(1);
  expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
}

/** Compiles and runs a program, and holds it to all that a program may do. True where it was taken. */
function tried(text: string, given: readonly Value[]): boolean {
  const compiled = compileStatement(text, names);
  if (!('evaluate' in compiled)) {
    expect(compiled.length).toBeGreaterThan(0);
    for (const fault of compiled) {
      expectWithin(text, fault);
      expect(fault.message).not.toBe('');
    }
    return false;
  }
  lookedAt = 0;
  const result = compiled.evaluate(given);
  expect(lookedAt).toBeLessThanOrEqual(200_000);
  expect(result.runs.length).toBeLessThanOrEqual(100);
  for (const { action, value, reason } of result.runs) {
    expect(names.actions.has(action)).toBe(true);
    expect(value === undefined || typeof value === 'boolean' || Number.isFinite(value)).toBe(true);
    expect(explained(reason).because.length).toBeLessThanOrEqual(500);
    expect(JSON.stringify(reason).length).toBeLessThanOrEqual(2_000);
  }
  if (result.stopped !== undefined) expectWithin(text, result.stopped);
  expect(compiled.evaluate(given)).toEqual(result);
  return true;
}

describe('whatever program is written', () => {
  it.each([
    ['by the grammar', grammar.statement, 0.5],
    ['by changes to one of the grammar', mutant, 0.02],
    ['of anything', soup, 0],
  ])('%s: it does only what the language says, and its faults have their place', (_how, programs, leastTaken) => {
    const before = world();
    let [taken, all] = [0, 0];
    fc.assert(
      fc.property(programs, values, (text, given) => {
        all += 1;
        if (tried(text, given)) taken += 1;
      }),
      { numRuns },
    );
    expect(taken / all).toBeGreaterThanOrEqual(leastTaken);
    expect(world()).toBe(before);
  });

  it('reaches nothing by the names that every object has', () => {
    const inherited = [Object.prototype, Function.prototype, Array.prototype, Map.prototype, globalThis].flatMap(
      (one) => Reflect.ownKeys(one).map(String),
    );
    for (const name of new Set(inherited.filter((one) => /^[\w$]+$/.test(one))))
      for (const text of [
        `run(heat, ${name});`,
        `run(heat, ${name}(t));`,
        `run(${name});`,
        `if (${name}) run(heat);`,
      ]) {
        // The words that the language has itself are no others.
        const isTaken = 'evaluate' in compileStatement(text, names);
        expect(isTaken, text).toBe(false);
      }
  });

  it('takes no more work than its budget, however much it asks for', () => {
    const day = WatchedList.from(Array.from({ length: 20_000 }, (_, index) => index));
    const text = Array.from({ length: 400 }, () => 'let a = total(day);').map((one, index) =>
      one.replace('a', `a${index}`),
    );
    const compiled = compileStatement(text.join('\n'), names);
    if (!('evaluate' in compiled)) throw new Error(JSON.stringify(compiled));
    lookedAt = 0;
    expect(compiled.evaluate([1, 1, true, day]).stopped?.reason).toBe('budget');
    expect(lookedAt).toBeLessThanOrEqual(200_000);
  });
});

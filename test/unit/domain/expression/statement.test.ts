import { explained } from '../../../../server/domain/control/reason-text.ts';
import { describe, expect, it } from 'vitest';
import type { Value, ValueType } from '../../../../server/domain/expression/operations.ts';
import {
  compileStatement,
  isStatementName,
  type StatementNames,
  type StatementResult,
} from '../../../../server/domain/expression/statement.ts';

const conditions = new Map<string, ValueType>([
  ['t', 'number'],
  ['rh', 'number'],
  ['lamp', 'boolean'],
  ['day', 'list'],
]);
const names: StatementNames = { conditions, actions: new Set(['heat', 'vent', 'warn']) };

function run(text: string, given: Record<string, Value> = {}): StatementResult {
  const compiled = compileStatement(text, names);
  if (!('evaluate' in compiled)) throw new Error(JSON.stringify(compiled));
  const values = { t: 17.25, rh: 80, lamp: true, day: [16, 18, 20], ...given };
  return compiled.evaluate([...conditions.keys()].map((name) => values[name as keyof typeof values]));
}

describe('a statement', () => {
  it.each<[string, [string, unknown][]]>([
    ['', []],
    ['run(heat);', [['heat', undefined]]],
    [
      'run(heat, 40); run(vent, false)',
      [
        ['heat', 40],
        ['vent', false],
      ],
    ],
    ['if (t < 18) run(heat);', [['heat', undefined]]],
    ['if (t > 18) { run(vent); } else if (rh > 75) { run(warn, rh); } else { run(heat); }', [['warn', 80]]],
    ['let gap = 18 - t; if (gap > 0 && lamp) run(heat, clamp(gap * 100, 0, 50));', [['heat', 50]]],
    [
      'run(heat, mean(day)); run(vent, count(day) + least(day) + most(day) + first(day) + last(day));',
      [
        ['heat', 18],
        ['vent', 75],
      ],
    ],
    ['run(heat, lamp ? total(day) : 0) // as much as it was', [['heat', 54]]],
    [
      'if (lamp) { let x = 1; run(heat, x); } let x = 2; run(vent, x);',
      [
        ['heat', 1],
        ['vent', 2],
      ],
    ],
  ])('%s', (text, expected) => {
    const { runs, stopped } = run(text);
    expect(runs.map(({ action, value }) => [action, value])).toEqual(expected);
    expect(stopped).toBeUndefined();
  });

  it('says by which condition and numbers each action runs', () => {
    const { runs } = run(
      'run(warn); if (t < 18 && rh > 50) { run(heat); } else run(vent); if (lamp == missing) {} else run(vent);',
    );
    expect(runs.map(({ reason }) => explained(reason).because)).toEqual([
      'each run',
      't < 18 && rh > 50 (t = 17.25, rh = 80)',
      'not lamp == missing (lamp = true)',
    ]);
  });

  it.each([
    ['run(heat, t < 18 && rh > 50);', 't < 18 && rh > 50 (t = 17.25, rh = 80)'],
    ['run(heat, t > 18);', 'not t > 18 (t = 17.25)'],
    ['run(vent, 2 * rh);', '2 * rh = 160 (rh = 80)'],
    ['run(vent, 30);', 'each run'],
    ['if (lamp) run(vent, 2 * rh);', 'lamp (lamp = true)'],
    ['let gap = 20 - t; let isCold = gap > 2; if (isCold) run(heat);', 'isCold (t = 17.25)'],
    ['let gap = 20 - t; run(vent, 10 * gap);', '10 * gap = 27.5 (t = 17.25)'],
  ])('says the numbers behind %s', (text, because) => {
    expect(run(text).runs.map(({ reason }) => explained(reason).because)).toEqual([because]);
  });

  it.each<[string, string[], { line: number; column: number } | undefined]>([
    ['run(vent);\nif (t < 18) run(heat); else run(warn);', ['vent'], { line: 2, column: 5 }],
    ['run(heat, t + 1);', [], { line: 1, column: 11 }],
    ['if (t == missing) run(warn); else if (t < 18) run(heat);', ['warn'], undefined],
    ['if (otherwise(t, 10) < 18) run(heat);', ['heat'], undefined],
    ['if (t < 18 || lamp) run(heat);', ['heat'], undefined],
    ['if (t < 18 && !lamp) run(heat); else run(vent);', ['vent'], undefined],
    ['if (mean(day) / 0 > 1) run(heat);', [], { line: 1, column: 5 }],
  ])('never takes a missing value for a number: %s', (text, expected, place) => {
    for (const t of [null, NaN]) {
      const { runs, stopped } = run(text, { t });
      expect(runs.map(({ action }) => action)).toEqual(expected);
      expect(stopped).toEqual(place && { ...place, reason: 'missing' });
    }
  });

  it('stops where it takes too many steps', () => {
    const long = Array.from({ length: 3_000 }, (_, n) => n);
    const { stopped } = run(Array.from({ length: 100 }, () => 'run(heat, mean(day));').join('\n'), { day: long });
    expect(stopped?.reason).toBe('budget');
    expect(run('run(heat);'.repeat(101)).runs).toHaveLength(100);
  });

  it.each<[string, number, number, string]>([
    ['if (t < 18) {\n  run(heat\n}', 3, 1, 'Unexpected token'],
    ['if (t << 18) run(heat);', 1, 5, '<< is not known'],
    ['run(heat);\n  run(cool);', 2, 7, 'there is no action cool, only heat, vent, warn'],
    ['if (tt < 18) run(heat);', 1, 5, 'there is no tt, only t, rh, lamp, day'],
    ['if (t) run(heat);', 1, 5, 'a boolean is needed where a number stands'],
    ['if (day > 1) run(heat);', 1, 5, 'a number is needed where a list stands'],
    ['run(heat, day);', 1, 11, 'where a list stands'],
    ['run("heat");', 1, 1, 'must be: run(action)'],
    ['t < 18;', 1, 1, 'does nothing'],
    ['t = 18;', 1, 1, 'does nothing'],
    ['let t = 18;', 1, 5, 't is the name of something else'],
    ['let mean = 18;', 1, 5, 'mean is the name of something else'],
    ['var x = 18;', 1, 1, 'must be: let'],
    ['for (;;) run(heat);', 1, 1, 'is no statement of this language'],
    ['while (true) {}', 1, 1, 'is no statement'],
    ['function f() {}', 1, 1, 'is no statement'],
    ['throw t;', 1, 1, 'is no statement'],
    ['run(heat, run(vent));', 1, 11, 'run is not known here'],
    ['run(heat, (() => 1)());', 1, 11, 'only functions can be called'],
    ['run(heat, t.constructor);', 1, 11, 'is not one expression'],
    ['import("fs")', 1, 1, 'does nothing'],
  ])('points at what is wrong: %s', (text, line, column, message) => {
    const faults = compileStatement(text, names);
    if ('evaluate' in faults) throw new Error('was taken');
    expect(faults[0]).toMatchObject({ line, column, message: expect.stringContaining(message) as string });
  });

  it.each([
    ['brackets', '\n' + '('.repeat(9_000), 2, 'is nested too deeply'],
    ['signs', '!'.repeat(9_000) + 't', 1, ''],
    ['sums', `run(heat, ${'t+'.repeat(4_000)}t);`, 1, 'is nested too deeply'],
    ['branches', `${'if (lamp) {} else '.repeat(500)}{}`, 1, 'is nested too deeply'],
    ['actions', ';'.repeat(2_001), 1, 'has more than 2000 parts'],
    ['spaces', ' '.repeat(10_001), 1, 'is longer than 10000 characters'],
  ])('refuses too many %s', (_what, text, line, message) => {
    const faults = compileStatement(text, names);
    if ('evaluate' in faults) throw new Error('was taken');
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ line, message: expect.stringContaining(message) as string });
  });

  it('points at every fault of a text', () => {
    const faults = compileStatement('if (x > 1) run(heat);\nif (t > y) run(cool);', names);
    expect(faults).toMatchObject([{ line: 1 }, { line: 2, column: 9 }, { line: 2, column: 16 }]);
  });

  it('knows what may be a name in it', () => {
    const given = [
      't',
      'T_2',
      '_',
      '2t',
      't-1',
      'if',
      'class',
      'let',
      'mean',
      'missing',
      'run',
      'true',
      '',
      'a'.repeat(65),
    ];
    expect(given.filter(isStatementName)).toEqual(['t', 'T_2', '_']);
  });
});

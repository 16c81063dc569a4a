import { describe, expect, it } from 'vitest';
import { completed, completionsOf } from '../../../../../renderer/features/control/statement-completion.ts';

const form = {
  conditions: [{ name: 'air' }, { name: 'ax_light' }, {}],
  actions: [{ name: 'open_vent' }, { name: 'note' }],
};
const language = {
  words: ['let', 'if', 'else', 'run', 'true', 'false', 'missing'],
  functions: [{ name: 'abs', takes: 'number' as const, least: 1, most: 1, gives: 'number' as const }],
  operators: [],
};
const names = (before: string): string[] => completionsOf(before, form, language).map(({ name }) => name);

describe('what is offered while a statement is typed', () => {
  it.each([
    ['a', ['air', 'ax_light', 'abs']],
    ['if (AI', ['air']],
    ['let warm = 3;\nif (wa', ['warm']],
    ['if (air > 3) { r', ['run']],
    ['run(', ['open_vent', 'note']],
    ['run( op', ['open_vent']],
    ['if (air', []],
    ['if (', []],
    ['12', []],
  ])('is after %j', (before, offered) => {
    expect(names(before)).toEqual(offered);
  });

  it('is names alone while nobody knows the language', () => {
    expect(completionsOf('a', form, null).map(({ name }) => name)).toEqual(['air', 'ax_light']);
  });
});

describe('a completion that is taken', () => {
  it('replaces what was begun and stands behind it', () => {
    expect(completed('if (ai > 3)', 6, { name: 'air', is: 'value' })).toEqual({ text: 'if (air > 3)', caret: 7 });
  });

  it('stands within the brackets of a call, and makes none twice', () => {
    expect(completed('ru', 2, { name: 'run', is: 'word' })).toEqual({ text: 'run()', caret: 4 });
    expect(completed('ab(air)', 2, { name: 'abs', is: 'function' })).toEqual({ text: 'abs(air)', caret: 3 });
  });
});

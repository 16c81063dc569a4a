import { describe, expect, it } from 'vitest';
import { createI18n } from 'vue-i18n';
import { en } from '../../../../renderer/i18n/en/index.ts';
import { messagesOf } from '../../../../renderer/i18n/index.ts';
import { language as languages } from '../../../../server/contract/language.ts';

function flatten(messages: object, prefix = ''): [string, string][] {
  return Object.entries(messages).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'string') return [[`${prefix}${key}`, value] satisfies [string, string]];
    return typeof value === 'object' && value !== null ? flatten(value, `${prefix}${key}.`) : [];
  });
}

const placeholders = (message: string): string[] => [...new Set(message.match(/\{\w+\}/g))].sort();
const english = new Map(flatten(en));

const spoken = await Promise.all(languages.options.map(async (one) => [one, await messagesOf(one)] as const));

describe.each(spoken)('messages of %s', (_language, messages) => {
  const translated = flatten(messages);

  it('are the same keys as the English ones', () => {
    expect(translated.map(([key]) => key).sort()).toEqual([...english.keys()].sort());
  });

  it('are never empty', () => {
    expect(translated.filter(([, message]) => message.trim() === '')).toEqual([]);
  });

  it('name what the English ones name', () => {
    const differing = translated.filter(
      ([key, message]) => placeholders(message).join() !== placeholders(english.get(key) ?? '').join(),
    );
    expect(differing.map(([key]) => key)).toEqual([]);
  });
});

it('count pipes above their class in English', () => {
  const { t } = createI18n({ legacy: false, locale: 'en', messages: { en } }).global;
  const said = (n: number): string => t('pipes.overPressure', { n, standard: 'PN 10' }, n);
  expect(said(1)).toBe('1 pipe exceeds its pressure class (PN 10).');
  expect(said(2)).toBe('2 pipes exceed their pressure class (PN 10).');
});

it.each(spoken)('of %s can all be read by the message syntax', (language, messages) => {
  // The page throws at the first use of a message that cannot, e.g. one with a bare @.
  const { t } = createI18n({ legacy: false, locale: language, messages: { [language]: messages } }).global;
  const unreadable = flatten(messages).filter(([key]) => {
    try {
      t(key);
      return false;
    } catch {
      return true;
    }
  });
  expect(unreadable).toEqual([]);
});

it('fields of generated forms are explained without placeholders, for which they are given no values', () => {
  const { fields, help, choices } = en.devices;
  const named = flatten({ fields, help, choices }).filter(
    ([, message]) => placeholders(message.replaceAll(/\{'[^']*'\}/g, '')).length > 0,
  );
  expect(named).toEqual([]);
});

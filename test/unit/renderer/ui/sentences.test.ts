import { expect, it } from 'vitest';
import { createI18n } from 'vue-i18n';
import { messagesOf } from '../../../../renderer/i18n/index.ts';
import { sentences } from '../../../../renderer/ui/sentences.ts';

it.each([
  ['en', 'One. Two. Three.'],
  ['ko', 'One. Two. Three.'],
  ['ja', 'One.Two.Three.'],
] as const)('puts the sentences of %s one after the other, without empty ones', async (language, said) => {
  const { global } = createI18n({ legacy: false, locale: 'it', messages: { it: await messagesOf(language) } });
  const t = (key: string, named = {}): string => global.t(key, named);
  expect(sentences(['One.', '', null, 'Two.', undefined, 'Three.'], t)).toBe(said);
  expect(sentences([], t)).toBe('');
});

import { expect, it } from 'vitest';
import { readProblem } from '../../../../renderer/client/api-error.ts';
import { en } from '../../../../renderer/i18n/en/index.ts';
import { createTranslations, messagesOf } from '../../../../renderer/i18n/index.ts';
import { describeError, refusalText } from '../../../../renderer/stores/notice.ts';
import { why } from '../../../../server/contract/refusal-reason.ts';

it.each([
  ['conflict', 'shape_gone', en.refusals.shape_gone],
  ['conflict', 'of_a_newer_server', en.errors.conflict],
  ['conflict', undefined, en.errors.conflict],
])('says of %s with the reason %s what can be done', async (code, why, said) => {
  const { t } = createTranslations(en).global;
  const problem = await readProblem(Response.json({ code, detail: 'as the service words it', why }, { status: 409 }));
  expect(describeError(problem, t)).toBe(said);
});

it.each([
  [[{ path: 'channel', code: 'invalid_field', message: '', why: 'needs_flow' }], en.refusals.needs_flow],
  [[{ path: 'channel', code: 'required', message: '' }], en.errors.invalid_field],
  [
    ['needs_flow', 'needs_dimmer'].map((why) => ({ path: 'channel', code: 'invalid_field', message: '', why })),
    en.errors.invalid_field,
  ],
])('says of the faulty fields %o what is wrong with the only one', async (errors, said) => {
  const { t } = createTranslations(en).global;
  const body = { code: 'invalid_field', detail: 'as the service words it', errors };
  expect(describeError(await readProblem(Response.json(body, { status: 400 })), t)).toBe(said);
});

it.each([
  ['en', 'Still in use by “Roof vent”, “Fan "east"”. Change that first.'],
  ['ko', '‘Roof vent’, ‘Fan "east"’에서 아직 사용 중입니다. 먼저 그쪽을 바꾸세요.'],
  ['ja', '「Roof vent」、「Fan "east"」がまだ使用しています。先にそちらを変更してください。'],
] as const)('quotes and lists the names of a refusal as in %s', async (language, said) => {
  const { t } = createTranslations(await messagesOf(language)).global;
  expect(refusalText(why('used_by', { names: ['Roof vent', 'Fan "east"'] }), t)).toBe(said);
});

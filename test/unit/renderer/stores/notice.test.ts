import { expect, it } from 'vitest';
import { readProblem } from '../../../../renderer/client/api-error.ts';
import { en } from '../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../renderer/i18n/index.ts';
import { describeError } from '../../../../renderer/stores/notice.ts';

it.each([
  ['conflict', 'shape_gone', en.refusals.shape_gone],
  ['conflict', 'of_a_newer_server', en.errors.conflict],
  ['conflict', undefined, en.errors.conflict],
])('says of %s with the reason %s what can be done', async (code, why, said) => {
  const { t } = createTranslations(en).global;
  const problem = await readProblem(Response.json({ code, detail: 'as the service words it', why }, { status: 409 }));
  expect(describeError(problem, t)).toBe(said);
});

import { expect, it } from 'vitest';
import { readProblem } from '../../../../renderer/client/api-error.ts';
import { en } from '../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../renderer/i18n/index.ts';
import { describeError } from '../../../../renderer/stores/notice.ts';

it.each([
  ['conflict', 'shape_gone', en.house.outlineGone],
  ['conflict', undefined, en.errors.conflict],
])('says of %s with the fault %s what can be done', async (code, fault, said) => {
  const { t } = createTranslations(en).global;
  const problem = await readProblem(Response.json({ code, detail: 'as the service words it', fault }, { status: 409 }));
  expect(describeError(problem, t)).toBe(said);
});

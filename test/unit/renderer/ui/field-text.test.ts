import { expect, it } from 'vitest';
import { z } from 'zod';
import { Refusal } from '../../../../server/contract/errors.ts';
import { parseOrRefuse } from '../../../../server/contract/field-errors.ts';
import { ruled, why } from '../../../../server/contract/refusal-reason.ts';
import { createTranslations, messagesOf, type Translate } from '../../../../renderer/i18n/index.ts';
import { fieldText } from '../../../../renderer/ui/field-text.ts';

const schema = z.strictObject({
  count: z.int().min(1).max(9).optional(),
  share: z.number().gt(0).optional(),
  name: z.string().min(2).optional(),
  list: z.array(z.int()).max(1).optional(),
  mail: z.email().optional(),
  kind: z.enum(['a', 'b']).optional(),
  factor: z
    .number()
    .refine((factor) => factor !== 0, ruled(why('factor_zero')))
    .optional(),
});
const korean = createTranslations(await messagesOf('ko')).global;
const t: Translate = (key, named = {}) => korean.t(key, named);

function refusedOf(body: unknown): (string | undefined)[] {
  try {
    parseOrRefuse(schema, body);
  } catch (error) {
    if (error instanceof Refusal) return (error.errors ?? []).map((one) => fieldText(one, t));
    throw error;
  }
  return [];
}

it.each([
  [{ count: 0 }, '1 이상이어야 합니다.'],
  [{ count: 10 }, '9 이하여야 합니다.'],
  [{ share: 0 }, '0보다 커야 합니다.'],
  [{ name: 'a' }, '2자 이상이어야 합니다.'],
  [{ list: [1, 2] }, '1개 이하여야 합니다.'],
  [{ mail: 'kim' }, '형식이 맞지 않습니다.'],
  [{ count: 'many' }, '여기에 맞지 않는 종류의 값입니다.'],
  [{ factor: 0 }, '0이 아니어야 합니다.'],
  [{ kind: 'c' }, '허용된 값이 아닙니다.'],
  [{ other: 1 }, '서버가 모르는 항목입니다.'],
])('words the refusal of %o in the language of the page', (body, text) => {
  expect(refusedOf(body)).toEqual([text]);
});

it('leaves a reason of a newer server to the server', () => {
  expect(fieldText({ code: 'invalid_field', why: 'of_a_newer_server' }, t)).toBeUndefined();
});

import type { Translate } from '../../i18n/index.ts';
import type { Format } from '../../ui/format.ts';
import type { FieldError } from '../../../server/contract/errors.ts';
import { placeWords, type Saying } from './change-words.ts';
import { told, type DraftFault } from './draft-faults.ts';
import { unitOf } from './loop-fields.ts';

/** What is wrong at a place, as the page says it. */
export function faultWords(
  { code, path, values, message }: DraftFault,
  { t, format }: { t: Translate; format: Format },
): string {
  if (code === 'required') return t('ui.required');
  if (code === 'invalid') return message ?? t('errors.invalid_field');
  const { limit, role, day, ...rest } = values;
  return t(`climate.fault.${code}`, {
    ...rest,
    ...(limit !== undefined && { limit: format.amount(Number(limit), unitOf(path) ?? '') }),
    ...(role !== undefined && { role: t(`role.${role as 'rain'}`) }), // a role, as the check has it
    ...(day !== undefined && { day: format.date(format.moment(`${day}T12:00`) ?? day) }),
  });
}

/** What the server refuses a field of a program for, with its place; undefined where only the server has words for it. */
export function refusedWords(field: FieldError, saying: Saying): string | undefined {
  const fault = told(field);
  if (fault.code === 'invalid') return undefined;
  const { t } = saying;
  return t('climate.within', { part: placeWords(field.path, saying), field: faultWords(fault, saying) });
}

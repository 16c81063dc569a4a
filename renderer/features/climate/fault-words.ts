import type { Translate } from '../../i18n/index.ts';
import { refusalText } from '../../stores/notice.ts';
import type { Format } from '../../ui/format.ts';
import type { FieldError } from '../../../server/contract/errors.ts';
import { placeWords, type Saying } from './change-words.ts';
import { told, type DraftFault } from './draft-faults.ts';
import { unitOf } from './loop-fields.ts';

/** The text of a fault at a path. */
export function faultWords(
  { code, path, values, field }: DraftFault,
  { t, format }: { t: Translate; format: Format },
): string {
  if (code === 'required') return t('ui.required');
  if (code === 'invalid') return refusalText({ ...field, values }, t) ?? field?.message ?? t('errors.invalid_field');
  const { limit, least, most, role, day, ...rest } = values;
  const unit = unitOf(path) ?? '';
  return t(`climate.fault.${code}`, {
    ...rest,
    ...(limit !== undefined && { limit: format.amount(Number(limit), unit) }),
    ...(least !== undefined && { range: format.limits(Number(least), Number(most), unit) }),
    ...(role !== undefined && { role: t(`role.${role as 'rain'}`) }), // a role, as the check has it
    ...(day !== undefined && { day: format.date(format.moment(`${day}T12:00`) ?? day) }),
  });
}

/** The text for a field that the server refuses, with its place; undefined when only the server has a text. */
export function refusedWords(field: FieldError, saying: Saying): string | undefined {
  const fault = told(field);
  if (fault.code === 'invalid' && fault.field?.why === undefined) return undefined;
  const { t } = saying;
  return t('climate.within', { part: placeWords(field.path, saying), field: faultWords(fault, saying) });
}

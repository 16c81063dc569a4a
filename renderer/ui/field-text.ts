import type { FieldError } from '../../server/contract/errors.ts';
import type { Translate } from '../i18n/index.ts';

const plain = ['required', 'invalid_type', 'invalid_format', 'unknown_field'] as const;
const bounds = ['at_least', 'above', 'at_most', 'below'] as const;
const counted = ['number', 'characters', 'entries'] as const;

/** What is wrong with one field, in the language of the page; undefined for a rule that only the server can word. */
export function fieldText(
  { code, values = {} }: Pick<FieldError, 'code' | 'values'>,
  t: Translate,
): string | undefined {
  const word = plain.find((one) => one === code);
  if (word !== undefined) return t(`ui.fault.${word}`);
  const bound = bounds.find((one) => one in values);
  const of = counted.find((one) => one === values['of']);
  return bound === undefined || of === undefined ? undefined : t(`ui.fault.${bound}.${of}`, { limit: values[bound] });
}

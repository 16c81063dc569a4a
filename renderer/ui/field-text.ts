import type { FieldError, ReasonFields } from '../../server/contract/errors.ts';
import type { Translate } from '../i18n/index.ts';
import { refusalText } from '../stores/notice.ts';

const plain = ['required', 'invalid_type', 'invalid_format', 'unknown_field', 'invalid_value', 'invalid_key'] as const;
/** Another code for what is no value that is allowed. */
const alike: Readonly<Record<string, string>> = { invalid_union: 'invalid_value' };
const bounds = ['at_least', 'above', 'at_most', 'below'] as const;
const counted = ['number', 'characters', 'entries'] as const;

/** What is wrong with one field, in the language of the page; undefined for a rule that only the server can word. */
export function fieldText(
  { code, ...reason }: Pick<FieldError, 'code'> & ReasonFields,
  t: Translate,
): string | undefined {
  if (reason.why !== undefined) return refusalText(reason, t);
  const { values = {} } = reason;
  const word = plain.find((one) => one === (alike[code] ?? code));
  if (word !== undefined) return t(`ui.fault.${word}`);
  const bound = bounds.find((one) => one in values);
  const of = counted.find((one) => one === values['of']);
  return bound === undefined || of === undefined ? undefined : t(`ui.fault.${bound}.${of}`, { limit: values[bound] });
}

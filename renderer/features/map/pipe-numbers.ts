import type { MessageKey } from '../../i18n/index.ts';

/** A number that a form asks for: where it stands in the draft, its words and its wire unit. */
export interface NumberField<Key extends string = string> {
  key: Key;
  label: MessageKey;
  unit: string;
  hint?: MessageKey;
}

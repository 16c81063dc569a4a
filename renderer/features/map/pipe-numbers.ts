import type { MessageKey } from '../../i18n/index.ts';

/** A number in a form: its place in the draft, its texts and its wire unit. */
export interface NumberField<Key extends string = string> {
  key: Key;
  label: MessageKey;
  unit: string;
  hint?: MessageKey;
}

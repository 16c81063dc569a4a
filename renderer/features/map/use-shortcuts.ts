import { useText } from '../../i18n/index.ts';
import { usePreference } from '../../stores/preference.ts';
import { isLetterKey } from './tools.ts';

/** The shortcuts that work as this device is set. */
export function useShortcuts() {
  const preference = usePreference();
  const { t } = useText();
  const isOn = (shortcut: string): boolean => preference.hasLetterKeys || !isLetterKey(shortcut);

  /** For `aria-keyshortcuts`. */
  function keysOf(shortcut: string): string | undefined {
    return isOn(shortcut) ? shortcut : undefined;
  }

  /** A hint that names the key too. */
  function hintOf(title: string, shortcut: string): string {
    return isOn(shortcut) ? t('ui.aside', { text: title, more: shortcut }) : title;
  }

  return { isOn, keysOf, hintOf };
}

import { usePreference } from '../../stores/preference.ts';
import { isLetterKey } from './tools.ts';

/** The shortcuts that work as this device is set. */
export function useShortcuts() {
  const preference = usePreference();
  const isOn = (shortcut: string): boolean => preference.hasLetterKeys || !isLetterKey(shortcut);

  /** For `aria-keyshortcuts`. */
  function keysOf(shortcut: string): string | undefined {
    return isOn(shortcut) ? shortcut : undefined;
  }

  /** A hint that names the key too. */
  function hintOf(title: string, shortcut: string): string {
    return isOn(shortcut) ? `${title} (${shortcut})` : title;
  }

  return { isOn, keysOf, hintOf };
}

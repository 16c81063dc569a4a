import { positionPct } from '../output-value.ts';
import type { OutputValue } from '../driver.ts';

/** Replaces the words in braces of a command's template; other braces stay. */
export function filled(template: string, value: OutputValue): string {
  const percent = positionPct(value);
  const words: Readonly<Record<string, string>> = {
    state: percent > 0 ? 'on' : 'off',
    bool: String(percent > 0),
    bit: percent > 0 ? '1' : '0',
    value: String(percent),
  };
  return template.replaceAll(/\{(state|bool|bit|value)\}/g, (_, word: string) => words[word] ?? '');
}

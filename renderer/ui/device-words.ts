import { readDeviceWords } from '../../server/contract/device-words.ts';
import type { Translate } from '../i18n/index.ts';

/** What a driver or store said of a fault, in the language of the page; the words of a device itself as they are. */
export function deviceWordsText(message: string, t: Translate): string {
  const read = readDeviceWords(message);
  if (read === null) return namedText(message, t);
  const { said } = read.values;
  // The reason of a lost connection is itself one of these.
  return t(`said.${read.word}`, said === undefined ? read.values : { ...read.values, said: deviceWordsText(said, t) });
}

/** "Lamps: it never answers", as a controller says which of its actions failed; the name stays. */
function namedText(message: string, t: Translate): string {
  const [, name, said = ''] = /^(.+?): (.+)$/s.exec(message) ?? [];
  return readDeviceWords(said) === null ? message : `${name}${t('ui.colon')}${deviceWordsText(said, t)}`;
}

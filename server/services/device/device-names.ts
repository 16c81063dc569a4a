import en from '../../../resources/device-names/en.json' with { type: 'json' };
import ja from '../../../resources/device-names/ja.json' with { type: 'json' };
import ko from '../../../resources/device-names/ko.json' with { type: 'json' };
import type { Language } from '../../contract/language.ts';

/** The words of each language from which names of devices are made. */
export const deviceNames: Readonly<Record<Language, typeof en>> = { en, ko, ja };

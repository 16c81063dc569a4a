import enRoles from '../../../resources/role-text/en.json' with { type: 'json' };
import jaRoles from '../../../resources/role-text/ja.json' with { type: 'json' };
import koRoles from '../../../resources/role-text/ko.json' with { type: 'json' };
import en from '../../../resources/commissioning-text/en.json' with { type: 'json' };
import ja from '../../../resources/commissioning-text/ja.json' with { type: 'json' };
import ko from '../../../resources/commissioning-text/ko.json' with { type: 'json' };
import type { Language } from '../../contract/language.ts';

const english = { ...en, roles: enRoles };
export type ReportText = typeof english;

/** The texts of the printed report, the same as on the page. */
export const reportTexts: Readonly<Record<Language, ReportText>> = {
  en: english,
  ko: { ...ko, roles: koRoles },
  ja: { ...ja, roles: jaRoles },
};

import 'vuetify/styles';
import './base.css';
import './print.css';
import { createVuetify } from 'vuetify';
import { aliases, mdi } from 'vuetify/iconsets/mdi-svg';
import { en, ja, ko } from 'vuetify/locale';
import type { Language } from '../../../server/contract/language.ts';
import { dark, light } from './palette.ts';

/** Texts of Vuetify's components. */
const messages: Record<Language, typeof en> = { en, ko, ja };

/** The nonce that the server put into this page; read from the property, because browsers hide the attribute. */
function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

/** Hints are always shown: one that disappears on blur would move the button being pressed at that moment. */
const field = { variant: 'outlined', color: 'primary', hideDetails: 'auto', persistentHint: true } as const;

export function createTheme(): ReturnType<typeof createVuetify> {
  return createVuetify({
    icons: { defaultSet: 'mdi', aliases, sets: { mdi } },
    locale: { locale: 'en', fallback: 'en', messages },
    theme: { defaultTheme: 'light', cspNonce: pageNonce(), themes: { light, dark }, transition: false },
    display: { mobileBreakpoint: 'sm' },
    defaults: {
      VBtn: { variant: 'tonal', rounded: 'md' },
      VCard: { rounded: 'lg', flat: true, border: true, color: 'surface' },
      VTextField: { ...field, bgColor: 'surface-bright' },
      VTextarea: { ...field, bgColor: 'surface-bright' },
      VFileInput: { ...field, bgColor: 'surface-bright' },
      VSelect: { ...field, bgColor: 'surface-bright' },
      VAutocomplete: { ...field, bgColor: 'surface-bright' },
      VCombobox: { ...field, bgColor: 'surface-bright' },
      VNumberInput: { ...field, controlVariant: 'hidden' },
      VTooltip: { openDelay: 400 },
      VMenu: { offset: 4 },
      VDialog: { maxWidth: 520 },
    },
  });
}

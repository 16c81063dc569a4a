import { useLocalStorage, usePreferredDark } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed } from 'vue';
import type { Language } from '../../server/contract/language.ts';
import { browserLanguage } from '../i18n/index.ts';

export type ThemeChoice = 'light' | 'dark' | 'system';
export type Density = 'comfortable' | 'touch';

/** Display preferences of this device, stored in the browser. */
export const usePreference = defineStore('preference', () => {
  const theme = useLocalStorage<ThemeChoice>('orangery.theme', 'system');
  const density = useLocalStorage<Density>(
    'orangery.density',
    matchMedia('(pointer: coarse)').matches ? 'touch' : 'comfortable',
  );
  const language = useLocalStorage<Language>('orangery.language', browserLanguage());
  /**
   * Whether keys of one letter do something: who speaks to the machine, or has unsteady hands, sets them off unawares.
   */
  const hasLetterKeys = useLocalStorage('orangery.letter-keys', true);
  const prefersDark = usePreferredDark();
  const isDark = computed(() => (theme.value === 'system' ? prefersDark.value : theme.value === 'dark'));
  return { theme, density, language, hasLetterKeys, isDark };
});

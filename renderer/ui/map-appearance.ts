import { computed } from 'vue';
import type { ComputedRef } from 'vue';
import { useText } from '../i18n/index.ts';
import type { MapAppearance } from '../map/site-map.ts';
import { usePreference } from '../stores/preference.ts';
import { useSettings } from '../stores/settings.ts';

const footInMetres = 0.3048;

/** How a map must look just now: theme, units and language. */
export function useMapAppearance(): ComputedRef<MapAppearance> {
  const { t } = useText();
  const preference = usePreference();
  const settings = useSettings();
  return computed(() => ({
    isDark: preference.isDark,
    unit_m: settings.units.length_unit === 'ft' ? footInMetres : 1,
    attribution: t('map.base.attribution'),
    label: t('map.map'),
  }));
}

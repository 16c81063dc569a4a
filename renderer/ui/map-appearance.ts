import { computed, type ComputedRef } from 'vue';
import { useText } from '../i18n/index.ts';
import type { MapAppearance } from '../map/site-map-port.ts';
import { usePreference } from '../stores/preference.ts';
import { useSettings } from '../stores/settings.ts';
import { readQuantity } from '../units/quantity.ts';

/** The present look of a map: theme, units and language. */
export function useMapAppearance(): ComputedRef<MapAppearance> {
  const { t } = useText();
  const preference = usePreference();
  const settings = useSettings();
  return computed(() => ({
    isDark: preference.isDark,
    unit_m: readQuantity(1, 'm', settings.units),
    attribution: t('map.base.attribution'),
    label: t('map.map'),
  }));
}

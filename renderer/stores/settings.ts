import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { settingEndpoints, type Settings, type SettingsPatch } from '../../server/contract/setting.ts';
import { useCall } from '../client/client.ts';
import type { UnitChoice } from '../units/quantity.ts';

/** Settings of the site; null until a user is logged in. */
export const useSettings = defineStore('settings', () => {
  const call = useCall();
  const site = shallowRef<Settings | null>(null);
  const units = computed<UnitChoice>(() => ({
    length_unit: site.value?.length_unit ?? 'm',
    temperature_unit: site.value?.temperature_unit ?? 'c',
  }));

  async function load(sent: { isProbe?: boolean } = {}): Promise<void> {
    site.value = await call(settingEndpoints.get, sent);
  }

  async function save(changed: SettingsPatch): Promise<void> {
    site.value = await call(settingEndpoints.save, { body: changed });
  }

  return { site, units, load, save };
});

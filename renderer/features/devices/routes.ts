import { mdiChip } from '@mdi/js';
import { computed } from 'vue';
import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useLive } from '../../stores/live.ts';
import { housesOfAlike } from '../../ui/alike-devices.ts';
import type { Feature } from '../feature.ts';
import { viewOf } from './device-groups.ts';

export const devices: Feature = {
  routes: [
    {
      path: '/devices',
      name: 'devices',
      component: () => import('./DevicesPage.vue'),
      meta: { title: 'devices.title' },
    },
  ],
  navigation: [{ to: '/devices', title: 'devices.title', icon: mdiChip, order: 40 }],
  useCommands: () => {
    const { t } = useText();
    const router = useRouter();
    const live = useLive();
    const facilities = useFacilities();
    const houses = computed(() => housesOfAlike(live.devices, facilities.list));
    return computed(() =>
      live.devices
        .filter((device) => viewOf(device) !== undefined)
        .map(({ unique_id, name }) => ({
          id: `device:${unique_id}`,
          title: name,
          hint: [houses.value.get(unique_id), t('devices.title')].filter(Boolean).join(' · '),
          icon: mdiChip,
          isOfSite: true,
          run: () =>
            router.push({
              name: 'devices',
              query: { q: [name, houses.value.get(unique_id)].filter(Boolean).join(' ') },
            }),
        })),
    );
  },
};

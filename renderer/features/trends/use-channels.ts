import { computed, type ComputedRef } from 'vue';
import { useText } from '../../i18n/index.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useLive } from '../../stores/live.ts';
import { housesOfAlike } from '../../ui/alike-devices.ts';
import { usePrograms } from '../../ui/use-programs.ts';
import { channelsOf, type Channel } from './channels.ts';
import { outputsOf, type OutputChannel } from './states.ts';

/**
 * All that can be drawn. Houses tell devices apart, and climate programs are known by theirs, as far as the page has
 * read them.
 */
export function useChannels(): { channels: ComputedRef<Channel[]>; outputs: ComputedRef<OutputChannel[]> } {
  const { t } = useText();
  const live = useLive();
  const facilities = useFacilities();
  const programs = usePrograms();
  const devices = computed(() => {
    const texts = new Map(programs.value.map(({ unique_id, text }) => [unique_id, text]));
    return live.devices.map((device) => ({ ...device, name: texts.get(device.unique_id) ?? device.name }));
  });
  const houses = computed(() => housesOfAlike(live.devices, facilities.list));
  return {
    channels: computed(() => channelsOf(devices.value, houses.value, t)),
    outputs: computed(() => outputsOf(devices.value, houses.value, t)),
  };
}

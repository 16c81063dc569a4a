import { computed, type ComputedRef } from 'vue';
import { useText } from '../../i18n/index.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useLive } from '../../stores/live.ts';
import { housesOfAlike } from '../../ui/alike-devices.ts';
import { channelsOf, type Channel } from './channels.ts';
import { outputsOf, type OutputChannel } from './states.ts';

/** All that can be drawn; the houses that tell devices apart are those that the page has read. */
export function useChannels(): { channels: ComputedRef<Channel[]>; outputs: ComputedRef<OutputChannel[]> } {
  const { t } = useText();
  const live = useLive();
  const facilities = useFacilities();
  const houses = computed(() => housesOfAlike(live.devices, facilities.list));
  return {
    channels: computed(() => channelsOf(live.devices, houses.value, t)),
    outputs: computed(() => outputsOf(live.devices, houses.value, t)),
  };
}

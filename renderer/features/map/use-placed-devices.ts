import { watchDebounced } from '@vueuse/core';
import { computed } from 'vue';
import type { Feature } from '../../../server/contract/overlay.ts';
import { useText } from '../../i18n/index.ts';
import { idOf } from '../../map/edit-buffer.ts';
import type { PlacedDevice } from '../../map/feature-layers.ts';
import { useLive } from '../../stores/live.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useFormat } from '../../ui/format.ts';
import { kindOf } from './device-look.ts';

/** The devices on the open map, and what each says now; `refresh` is called when one of them says something else. */
export function usePlacedDevices(refresh: () => void) {
  const { t } = useText();
  const format = useFormat();
  const store = useOpenMap();
  const live = useLive();

  /** Shapes by the id of the device that they place, in lower case. */
  const placed = computed(
    () =>
      new Map(
        store.features.flatMap((feature) =>
          feature.properties.device_id === undefined ? [] : [[feature.properties.device_id, idOf(feature)] as const],
        ),
      ),
  );

  function describeDevice(feature: Feature): PlacedDevice {
    const device = live.device(feature.properties.device_id ?? '');
    const first = device?.channels[0];
    const kind = kindOf(device);
    if (first?.measurement_id !== undefined) {
      const known = live.value(first.measurement_id);
      return { kind, value: known === undefined ? '' : format.quantity(known.value, known.unit) };
    }
    const state =
      device === undefined || first === undefined ? undefined : live.output(device.unique_id, first.channel)?.state;
    if (kind !== 'output') return { kind, value: '' };
    if (typeof state === 'number') return { kind, value: format.quantity(state, '%') };
    return { kind, value: t(state === 'on' ? 'ui.on' : state === 'off' ? 'ui.off' : 'ui.unknown') };
  }

  watchDebounced(
    () =>
      [...placed.value.values()]
        .map((id) => store.find(id))
        .map((one) => (one === undefined ? '' : describeDevice(one).value)),
    refresh,
    { debounce: 250, maxWait: 1_000 },
  );
  return { placed, describeDevice };
}

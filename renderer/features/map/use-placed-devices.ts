import { watchDebounced } from '@vueuse/core';
import { computed } from 'vue';
import type { Feature } from '../../../server/contract/overlay.ts';
import { useText } from '../../i18n/index.ts';
import { idOf } from '../../map/edit-buffer.ts';
import type { PlacedDevice } from '../../map/feature-layers.ts';
import { useLive } from '../../stores/live.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useFormat } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { kindOf } from './device-look.ts';

/** As the values of a device have it. */
const staleAfterMs = 60_000;

/** The devices on the open map, and what each says now; `refresh` is called when one of them says something else. */
export function usePlacedDevices(refresh: () => void) {
  const { t } = useText();
  const format = useFormat();
  const store = useOpenMap();
  const live = useLive();
  const now = useNow();

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
    const lost = live.isCurrent ? '' : t('map.place.notCurrent');
    if (first?.measurement_id !== undefined) {
      const known = live.value(first.measurement_id);
      if (known === undefined) return { kind, value: '', stale: lost };
      const isOld = known.quality !== 'good' || now.value - known.time_ms > staleAfterMs;
      return { kind, value: format.quantity(known.value, known.unit), stale: isOld ? t('map.place.old') : lost };
    }
    const state =
      device === undefined || first === undefined ? undefined : live.output(device.unique_id, first.channel)?.state;
    if (kind !== 'output') return { kind, value: '' };
    if (typeof state === 'number') return { kind, value: format.quantity(state, '%'), stale: lost };
    return { kind, stale: lost, value: t(state === 'on' ? 'ui.on' : state === 'off' ? 'ui.off' : 'ui.unknown') };
  }

  const textOf = ({ value, stale = '' }: PlacedDevice): string => `${value} ${stale}`;

  watchDebounced(
    () =>
      [...placed.value.values()]
        .map((id) => store.find(id))
        .map((one) => (one === undefined ? '' : textOf(describeDevice(one)))),
    refresh,
    { debounce: 250, maxWait: 1_000 },
  );
  return { placed, describeDevice };
}

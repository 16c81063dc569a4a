import { watchThrottled } from '@vueuse/core';
import { computed } from 'vue';
import type { OutputState } from '../../../server/contract/output.ts';
import type { Feature } from '../../../server/contract/overlay.ts';
import { useText } from '../../i18n/index.ts';
import { idOf } from '../../map/edit-buffer.ts';
import type { PlacedDevice } from '../../map/point-marks.ts';
import { useLive } from '../../stores/live.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useFormat } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { readsOn } from '../devices/output-command.ts';
import { kindOf } from './device-look.ts';

/** The devices on the open map and their present readings; `refresh` is called when one changes. */
export function usePlacedDevices(refresh: () => void) {
  const { t } = useText();
  const format = useFormat();
  const store = useOpenMap();
  const live = useLive();
  const now = useNow();

  const shapes = computed(() => store.features.filter(({ properties }) => properties.device_id !== undefined));
  /** Shapes by the id of the device that they place, in lower case. */
  const placed = computed(() => new Map(shapes.value.map((one) => [one.properties.device_id ?? '', idOf(one)])));

  function describeDevice({ properties }: Feature): PlacedDevice {
    const device = live.device(properties.device_id ?? '');
    const kind = device === undefined && !live.areDevicesRead ? 'other' : kindOf(device);
    const channels = device?.channels.filter(({ channel }) => channel === (properties.channel ?? channel)) ?? [];
    const lost = live.isCurrent ? '' : t('map.place.notCurrent');
    const measured = channels.find(({ measurement_id }) => measurement_id !== undefined)?.measurement_id;
    if (device !== undefined && kind === 'output') {
      const states = channels.map(({ channel }) => live.output(device.unique_id, channel)?.state);
      return { kind, value: statesText(states), stale: lost };
    }
    if (measured === undefined) return { kind, value: '', stale: device === undefined ? lost : '' };
    const known = live.value(measured);
    if (known === undefined) return { kind, value: '', stale: lost };
    const staleAfterMs = (live.staleAfterS(measured) ?? Infinity) * 1000; // unknown, its quality alone can say
    const isOld = known.quality !== 'good' || now.value - known.time_ms > staleAfterMs;
    const digits = format.digits(live.resolution(measured), known.unit);
    return { kind, value: format.quantity(known.value, known.unit, digits), stale: isOld ? t('map.place.old') : lost };
  }

  /** Of several channels that do not all say the same, how many are on. */
  function statesText(states: readonly (OutputState | undefined)[]): string {
    const [first, ...others] = states;
    if (states.some((state) => state === null || state === undefined)) return t('ui.unknown');
    if (others.some((state) => state !== first)) {
      return t('map.place.someOn', { on: states.filter(readsOn).length, all: states.length });
    }
    if (typeof first === 'number') return format.quantity(first, '%');
    return first === undefined ? '' : t(first === 'on' ? 'ui.on' : 'ui.off');
  }

  const textOf = ({ kind, value, stale = '' }: PlacedDevice): string => `${kind} ${value} ${stale}`;

  // At once, so that a mark and its pop-up agree.
  watchThrottled(() => shapes.value.map((one) => textOf(describeDevice(one))), refresh, { throttle: 500 });
  return { placed, describeDevice };
}

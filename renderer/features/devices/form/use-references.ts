import { computed } from 'vue';
import type { Device } from '../../../../server/contract/device.ts';
import { allKinds } from '../../../../server/contract/controller-kinds.ts';
import { useFacilities } from '../../../stores/facility.ts';
import { useDevices } from '../../../stores/device.ts';
import { useLive } from '../../../stores/live.ts';
import { useText } from '../../../i18n/index.ts';
import { channelName } from '../../../ui/channel-name.ts';
import { useForm, type Offer } from './form-context.ts';
import { groupOf, type Group } from './option-schema.ts';

const offerOf = ({ unique_id, name }: { unique_id: string; name: string }): Offer => ({
  value: unique_id,
  title: name,
});

/**
 * Numbers in the unit of the measurement they are compared with. Not differences: a conversion would add the offset of
 * a scale.
 */
const levels: ReadonlySet<string> = new Set(['level', 'setpoint']);

/** Inputs, and controllers that store their results. */
function isMeasured({ channels }: Device): boolean {
  return channels.some(({ measurement_id }) => measurement_id !== undefined);
}

/** References are chosen, not typed: devices, their channels and measurements, controllers. */
export function useReferences(props: { name: string; siblings: Group }) {
  const { t } = useText();
  const live = useLive();
  const devices = useDevices();
  const facilities = useFacilities();
  const form = useForm();

  const deviceOf = (id: unknown) => live.devices.find(({ unique_id }) => unique_id === id);

  const offersOf: Readonly<Record<string, () => Offer[]>> = {
    output_id: () => live.devices.filter(({ kind }) => kind === 'output').map(offerOf),
    device_id: () => live.devices.filter(isMeasured).map(offerOf),
    measurement_id: () =>
      live.devices
        .filter(({ unique_id }) => unique_id === props.siblings['device_id'])
        .flatMap((device) =>
          device.channels.map((channel) => ({
            value: channel.measurement_id ?? '',
            title: channelName(device, channel, t),
          })),
        ),
    pid_id: () => devices.listOf('pid').map(offerOf),
    lcd_id: () => devices.listOf('lcd').map(offerOf),
    method_id: () => devices.listOf('method').map(offerOf),
    facility: () => facilities.list.map(offerOf),
    controller_id: () => allKinds.flatMap(({ word }) => devices.listOf(word).map(offerOf)),
  };

  if (props.name === 'facility' && facilities.list.length === 0) void facilities.load().catch(() => undefined);

  /** null when it refers to nothing. */
  const offers = computed((): Offer[] | null => {
    const outputId = props.siblings['output_id'];
    if (props.name === 'channel' && outputId !== undefined) {
      const output = deviceOf(outputId);
      return output?.channels.map((one) => ({ value: one.channel, title: channelName(output, one, t) })) ?? [];
    }
    return offersOf[props.name]?.() ?? form.offersOf?.(props.name, props.siblings) ?? null;
  });

  /** The unit of the measurement beside it, or of its PID; empty when none is chosen. */
  const unit = computed((): string => {
    if (!levels.has(props.name)) return '';
    const pid = devices.listOf('pid').find(({ unique_id }) => unique_id === props.siblings['pid_id']);
    const { device_id, measurement_id } = groupOf(pid?.measurement ?? props.siblings['measurement']);
    return deviceOf(device_id)?.channels.find((channel) => channel.measurement_id === measurement_id)?.unit ?? '';
  });

  return { offers, unit };
}

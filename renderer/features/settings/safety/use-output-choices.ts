import { computed, type ComputedRef } from 'vue';
import { useText } from '../../../i18n/index.ts';
import { useDevices } from '../../../stores/device.ts';
import { deviceChannelName } from '../../../ui/channel-name.ts';

export interface OutputChoice {
  /** `<output>:<channel>` */
  value: string;
  title: string;
}

export const choiceOf = (outputId: string, channel: number): string => `${outputId}:${channel}`;

/** Every channel of every output by name. */
export function useOutputChoices(): ComputedRef<OutputChoice[]> {
  const { t } = useText();
  const devices = useDevices();
  return computed(() =>
    devices.outputs.flatMap((output) =>
      output.channels.map((channel) => ({
        value: choiceOf(output.unique_id, channel.channel),
        title: deviceChannelName({ ...output, kind: 'output' }, channel, t),
      })),
    ),
  );
}

import { computed, type ComputedRef } from 'vue';
import { useDevices } from '../../stores/device.ts';

export interface OutputChoice {
  /** `<output>:<channel>` */
  value: string;
  title: string;
}

export const choiceOf = (outputId: string, channel: number): string => `${outputId}:${channel}`;

/** Every channel of every output by name. */
export function useOutputChoices(): ComputedRef<OutputChoice[]> {
  const devices = useDevices();
  return computed(() =>
    devices.outputs.flatMap(({ unique_id, name, channels }) =>
      channels.map((channel) => ({
        value: choiceOf(unique_id, channel.channel),
        title: channels.length > 1 ? `${name} · ${channel.name}` : name,
      })),
    ),
  );
}

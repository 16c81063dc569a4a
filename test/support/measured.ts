import type { Sample } from '../../server/measurement/store.ts';
import { MeasuredDevices } from '../../server/domain/control/measured-devices.ts';
import { controllerLists } from './controller-lists.ts';

/** The devices that store series, from the given controllers. */
export function measuredOf(lists: Parameters<typeof controllerLists>[0]): MeasuredDevices {
  const { list, get } = controllerLists(lists);
  return new MeasuredDevices({ list, get });
}

/** A store that keeps its samples in memory. */
export function rememberedSamples() {
  const samples: Sample[] = [];
  return {
    samples,
    writer: { write: async (given: readonly Sample[]) => void samples.push(...given) },
    /** The values of a channel of a controller, in order. */
    of: (device_id: string, channel: number) =>
      samples.filter((one) => one.device_id === device_id && one.channel === channel).map(({ value }) => value),
  };
}

import type { ControllerReference } from './controller-kind.ts';
import type { ActuatorRole } from './facility-binding.ts';

/** An actuator of a house; without a channel the lowest is meant. */
interface Bound {
  role: ActuatorRole;
  device_id: string;
  channel?: number | null | undefined;
}

/** Where references are looked up. */
export interface DrivenSite {
  /** The channel that is meant where none is named. */
  lowestChannel: (outputId: string) => number;
  actuatorsOf: (facilityId: string) => readonly Bound[];
}

/** The channels of outputs that a controller drives by this reference, as `channelKey`. */
export function drivenChannels(reference: ControllerReference, site: DrivenSite): string[] {
  if (reference.to === 'facility') {
    const { id, drives } = reference;
    const driven = site.actuatorsOf(id).filter(({ role }) => drives.includes(role));
    return driven.map(({ device_id, channel }) => channelKey(device_id, channel, site));
  }
  if (reference.to !== 'output' || reference.isDriven !== true) return [];
  return [channelKey(reference.id, reference.channel, site)];
}

/** The same for a channel however it is named. */
export function channelKey(
  outputId: string,
  channel: number | null | undefined,
  { lowestChannel }: Pick<DrivenSite, 'lowestChannel'>,
): string {
  return `${outputId}:${channel ?? lowestChannel(outputId)}`;
}

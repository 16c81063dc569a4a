import type { ControllerReference, ControllerSettings } from '../../contract/controller-kind.ts';
import { allKinds, type ControllerWord } from '../../contract/controller-kinds.ts';
import { drivenChannels, type DrivenSite } from '../../contract/driven-channels.ts';
import type { Facility } from '../../contract/facility.ts';
import type { Output } from '../../contract/output.ts';
import type { StoredControllers } from './measured-devices.ts';

/** A controller by its kind. */
interface Driver {
  kind: ControllerWord;
  settings: ControllerSettings;
}

/** The stored controllers, and the houses that are not in the trash. */
interface Site {
  stored: StoredControllers;
  houseOf: (id: string) => Pick<Facility, 'actuators'> | undefined;
}

/** The other running controller that drives an output which this one would also drive; undefined when there is none. */
export function driverOf(
  { unique_id }: Pick<ControllerSettings, 'unique_id'>,
  references: readonly ControllerReference[],
  { isAtWork, ...known }: Site & { isAtWork: (one: ControllerSettings) => boolean },
): Driver | undefined {
  const site = drivenSite(known);
  const wanted = new Set(references.flatMap((one) => drivenChannels(one, site)));
  if (wanted.size === 0) return undefined;
  for (const { word: kind, stored: named } of allKinds) {
    if (named === undefined) continue;
    for (const settings of known.stored.list(kind)) {
      if (settings.unique_id === unique_id || !isAtWork(settings)) continue;
      const driven = named.references(settings).flatMap((one) => drivenChannels(one, site));
      if (driven.some((channel) => wanted.has(channel))) return { kind, settings };
    }
  }
  return undefined;
}

function drivenSite({ stored, houseOf }: Site): DrivenSite {
  return {
    lowestChannel: (outputId) => {
      const output = stored.get('output', outputId) as Output | undefined; // of that kind
      return Math.min(...(output?.channels ?? []).map(({ channel }) => channel));
    },
    actuatorsOf: (facilityId) => houseOf(facilityId)?.actuators ?? [],
  };
}

import type { ControllerReference, ControllerSettings } from '../../contract/controller-kind.ts';
import { allKinds, type ControllerWord } from '../../contract/controller-kinds.ts';
import type { Output } from '../../contract/output.ts';
import type { StoredControllers } from './measured-devices.ts';

/** A controller by its kind. */
interface Driver {
  kind: ControllerWord;
  settings: ControllerSettings;
}

/** The other controller, of those that are at work, that drives an output which this one would drive too; undefined where none does. */
export function driverOf(
  { unique_id }: Pick<ControllerSettings, 'unique_id'>,
  references: readonly ControllerReference[],
  { stored, isAtWork }: { stored: StoredControllers; isAtWork: (one: ControllerSettings) => boolean },
): Driver | undefined {
  const wanted = new Set(references.flatMap((one) => drivenChannel(one, stored)));
  if (wanted.size === 0) return undefined;
  for (const { word: kind, stored: named } of allKinds) {
    if (named === undefined) continue;
    for (const settings of stored.list(kind)) {
      if (settings.unique_id === unique_id || !isAtWork(settings)) continue;
      const driven = named.references(settings).flatMap((one) => drivenChannel(one, stored));
      if (driven.some((channel) => wanted.has(channel))) return { kind, settings };
    }
  }
  return undefined;
}

function drivenChannel(reference: ControllerReference, stored: StoredControllers): string[] {
  if (reference.to !== 'output' || reference.isDriven !== true) return [];
  return [`${reference.id}:${reference.channel ?? lowestChannel(reference.id, stored)}`];
}

function lowestChannel(outputId: string, stored: StoredControllers): number {
  const output = stored.get('output', outputId) as Output | undefined; // of that kind
  return Math.min(...(output?.channels ?? []).map(({ channel }) => channel));
}

import { isDeepStrictEqual } from 'node:util';
import { Refusal, refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { FeatureRecord } from '../../db/repositories/overlay.ts';
import type { SentFeature } from './feature-intake.ts';
import type { MapChange } from './change.ts';

/** What a save changes in a map, and how many of the sent features are unchanged. */
export type Planned = MapChange<SentFeature> & { unchanged: number };

/** The changes of a full save: features that are not sent are deleted. */
export function planFull(sent: readonly SentFeature[], stored: readonly FeatureRecord[]): Planned {
  const known = new Map(stored.map((feature) => [feature.unique_id, feature]));
  const planned = compare(sent, known);
  const kept = new Set(sent.map(idOf));
  return { ...planned, deleted: stored.filter((feature) => !kept.has(feature.unique_id)) };
}

/** The changes of a delta; `known` holds every stored feature that it names. */
export function planDelta(
  lists: { added: SentFeature[]; modified: SentFeature[]; deleted: string[] },
  known: ReadonlyMap<string, FeatureRecord>,
): Planned {
  const deleted = lists.deleted.flatMap((id) => known.get(id) ?? []);
  return { ...compare(lists.modified, known), added: lists.added, deleted };
}

function compare(sent: readonly SentFeature[], known: ReadonlyMap<string, FeatureRecord>): Planned {
  const planned: Planned = { added: [], modified: [], deleted: [], unchanged: 0 };
  for (const after of sent) {
    const before = known.get(after.unique_id);
    if (before === undefined) planned.added.push(after);
    else if (isSame(before, after)) planned.unchanged += 1;
    else planned.modified.push({ before, after });
  }
  return planned;
}

/** Equal texts are equal; different texts may still differ only in the order of members. */
function isSame(before: FeatureRecord, after: SentFeature): boolean {
  return isSameJson(before.geometry, after.geometry) && isSameJson(before.properties, after.properties);
}

function isSameJson(one: string, other: string): boolean {
  return one === other || isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}

export function idOf(feature: { unique_id: string }): string {
  return feature.unique_id;
}

/** Refuses a request that names a feature twice. */
export function refuseRepeated(ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw duplicateFeature(id, 'is in the request twice');
    seen.add(id);
  }
}

export function duplicateFeature(id: string, what: string): Refusal {
  return new Refusal('duplicate_feature', `feature ${id} ${what}`, { members: { unique_id: id } });
}

/** Refuses a change of a feature's type. */
export function refuseOtherTypes({ modified }: Planned): void {
  for (const { before, after } of modified) {
    if (before.type === after.type) continue;
    throw refusePlainly('type_immutable', `${after.path}.properties.type`, `is ${before.type} and stays so`, {
      unique_id: after.unique_id,
    });
  }
}

/** The channel numbers of devices, by id (lower case). */
export type DeviceChannels = ReadonlyMap<string, readonly number[]>;

/**
 * Refuses with invalid_field or unknown_reference a feature of type device that places none, or an unknown device or
 * channel. One that stands unchanged on the map may stay: a device may be deleted after it was placed.
 */
export function refuseImpossibleDevices(
  sent: readonly SentFeature[],
  { devices, stored }: { devices: DeviceChannels; stored: (id: string) => FeatureRecord | undefined },
): void {
  for (const feature of sent) {
    const fault = faultOf(feature, devices);
    if (fault === undefined) continue;
    const before = stored(feature.unique_id);
    const isPlaced = before?.device_id === feature.device_id && before.channel === feature.channel;
    if (!isPlaced || before.type !== feature.type) throw fault;
  }
}

function faultOf({ type, path, device_id, channel }: SentFeature, devices: DeviceChannels): Refusal | undefined {
  if (type !== 'device') return undefined;
  const field = `${path}.properties.device_id`;
  if (device_id === null) return refuseField('invalid_field', field, why('device_needed'));
  const channels = devices.get(device_id);
  if (channels === undefined) return refuseField('unknown_reference', field, why('no_such_device'));
  if (channel === null || channels.includes(channel)) return undefined;
  return refuseField('unknown_reference', `${path}.properties.channel`, why('no_such_channel'));
}

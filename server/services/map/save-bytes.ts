import { parseOrRefuse } from '../../contract/field-errors.ts';
import { parseJson } from '../../contract/json-body.ts';
import { overlayDelta, overlaySave, type FeatureInput, type SaveResult } from '../../contract/overlay.ts';
import type { Author } from './revision.ts';
import { saveDelta, saveFull } from './save.ts';
import type { MapStore } from './store.ts';
import { throwIfCancelled, type CancelFlag } from '../../worker/cancelling.ts';

/** What a save needs beside a body that nobody has read yet. */
interface UnreadSaving {
  author: Author;
  /** Of all devices, lower case. */
  deviceIds: readonly string[];
  cancelled?: CancelFlag | undefined;
}

/** What a save did, and the whole answer in JSON: a hundred thousand ids are sent on as they are. */
export interface SavedBytes {
  summary: Omit<SaveResult, 'features' | 'warnings'>;
  json: Uint8Array;
}

/** `saveFull` of a body as it arrived. Refuses besides with invalid_json, invalid_field, unknown_field. */
export function saveFullBytes(store: MapStore, bytes: Uint8Array, unread: UnreadSaving): SavedBytes {
  const { author, deviceIds, cancelled } = unread;
  throwIfCancelled(cancelled);
  const save = parseOrRefuse(overlaySave, parseJson(bytes));
  return asBytes(saveFull(store, save, { author, cancelled, missingDevices: missing(save.features, deviceIds) }));
}

/** `saveDelta` of a body as it arrived. Refuses besides with invalid_json, invalid_field, unknown_field. */
export function saveDeltaBytes(store: MapStore, bytes: Uint8Array, { author, deviceIds }: UnreadSaving): SavedBytes {
  const delta = parseOrRefuse(overlayDelta, parseJson(bytes));
  const features = [...(delta.added ?? []), ...(delta.modified ?? [])];
  return asBytes(saveDelta(store, delta, { author, missingDevices: missing(features, deviceIds) }));
}

function asBytes(result: SaveResult): SavedBytes {
  const { features: _features, warnings: _warnings, ...summary } = result;
  return { summary, json: new TextEncoder().encode(JSON.stringify(result)) };
}

/** The devices (lower case, each once) that features of type device name. */
export function namedDevices(features: readonly FeatureInput[]): string[] {
  const named = features.flatMap(({ properties: { type, device_id } }) =>
    type === 'device' && device_id !== undefined ? device_id.toLowerCase() : [],
  );
  return [...new Set(named)];
}

function missing(features: readonly FeatureInput[], deviceIds: readonly string[]): string[] {
  const known = new Set(deviceIds);
  return namedDevices(features).filter((id) => !known.has(id));
}

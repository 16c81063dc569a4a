import { parseOrRefuse } from '../../contract/field-errors.ts';
import { parseJson } from '../../contract/json-body.ts';
import { overlayDelta, overlaySave, type FeatureInput, type SaveResult } from '../../contract/overlay.ts';
import { saveDelta, saveFull, type Saving } from './save.ts';
import type { MapStore } from './store.ts';
import { throwIfCancelled } from '../../worker/cancelling.ts';

/** What a save did, and the whole answer as JSON: a hundred thousand ids are sent on unparsed. */
export interface SavedBytes {
  summary: Omit<SaveResult, 'features' | 'warnings'>;
  json: Uint8Array;
}

/** Like `saveFull` for a raw body. Also refuses with invalid_json, invalid_field, unknown_field. */
export function saveFullBytes(store: MapStore, bytes: Uint8Array, saving: Saving): SavedBytes {
  throwIfCancelled(saving.cancelled);
  const save = parseOrRefuse(overlaySave, parseJson(bytes));
  return asBytes(saveFull(store, save, saving));
}

/** Like `saveDelta` for a raw body. Also refuses with invalid_json, invalid_field, unknown_field. */
export function saveDeltaBytes(store: MapStore, bytes: Uint8Array, saving: Saving): SavedBytes {
  const delta = parseOrRefuse(overlayDelta, parseJson(bytes));
  return asBytes(saveDelta(store, delta, saving));
}

function asBytes(result: SaveResult): SavedBytes {
  const { features: _features, warnings: _warnings, ...summary } = result;
  return { summary, json: new TextEncoder().encode(JSON.stringify(result)) };
}

/** The devices (lower case, each once) that features of type device name. */
export function namedDevices(features: readonly FeatureInput[]): string[] {
  const named = features.flatMap(({ properties: { type, device_id } }) =>
    type === 'device' && device_id !== undefined ? device_id : [],
  );
  return [...new Set(named)];
}

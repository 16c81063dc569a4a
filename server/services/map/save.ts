import { createHash } from 'node:crypto';
import { Refusal } from '../../contract/errors.ts';
import { mostChanges, type OverlayDelta, type OverlaySave, type SaveResult } from '../../contract/overlay.ts';
import type { DesignRecord } from '../../db/repositories/design.ts';
import type { KeptAnswer } from '../../db/repositories/map-history.ts';
import type { FeatureRecord } from '../../db/repositories/overlay.ts';
import type { Author, Prepared } from './change.ts';
import { takeIn, type SentFeature } from './feature-intake.ts';
import { changesSince, existingMap, mapToChange, revisionConflict } from './conflict.ts';
import {
  duplicateFeature,
  idOf,
  planDelta,
  planFull,
  refuseImpossibleDevices,
  refuseOtherTypes,
  refuseRepeated,
  type DeviceChannels,
  type Planned,
} from './plan.ts';
import { ofOtherMap } from './revision-checks.ts';
import { revise } from './revise.ts';
import type { MapStore } from './store.ts';
import { throwIfCancelled, type CancelFlag } from '../../worker/cancelling.ts';

/** What a save needs beside its body. */
export interface Saving {
  author: Author;
  /** Those named in the body that exist. */
  devices: DeviceChannels;
  /** Set for a save that can be cancelled. */
  cancelled?: CancelFlag | undefined;
}

interface SaveRequest {
  geo_id: string;
  body: OverlaySave | OverlayDelta;
  kind: 'full' | 'delta';
  warnings: SaveResult['warnings'];
  /** In the order of the answer. */
  sent: SentFeature[];
  plan: (map: DesignRecord) => Planned;
}

/** How long a repeat gets the first answer, ms. */
export const answersKeptMs = 24 * 60 * 60 * 1000;

/** Makes the map hold exactly the features of the body; saves all of them, or nothing. */
export function saveFull(store: MapStore, save: OverlaySave, saving: Saving): SaveResult {
  throwIfCancelled(saving.cancelled);
  const { geo_id: geoId } = save;
  const { features, warnings } = takeIn(geoId, { field: 'features', features: save.features });
  const plan = (map: DesignRecord): Planned => {
    refuseRepeated(features.map(idOf));
    if (save.revision !== undefined && save.revision !== map.revision) throw staleFullSave(store, map, save.revision);
    const planned = planFull(features, store.overlays.ofMap(map.map_uuid));
    if (features.length === 0 && map.feature_count > 0 && save.allow_empty !== true) throw emptySave(map);
    if (save.revision === undefined) refuseForeignRemovals(store, map, { planned, saving });
    return planned;
  };
  return run(store, { geo_id: geoId, body: save, kind: 'full', warnings, sent: features, plan }, saving);
}

/** Saves all changes, or nothing; features that no other client has changed since need no newer revision. */
export function saveDelta(store: MapStore, delta: OverlayDelta, saving: Saving): SaveResult {
  const { geo_id: geoId } = delta;
  const added = takeIn(geoId, { field: 'added', features: delta.added ?? [] });
  const modified = takeIn(geoId, { field: 'modified', features: delta.modified ?? [], needsId: true });
  const deleted = delta.deleted ?? [];
  const plan = (map: DesignRecord): Planned => {
    refuseRepeated([...added.features.map(idOf), ...modified.features.map(idOf), ...deleted]);
    refuseKnown(store, map, added.features);
    const found = findChanged(store, map, {
      ids: [...modified.features.map(idOf), ...deleted],
      revision: delta.revision,
    });
    const planned = planDelta({ added: added.features, modified: modified.features, deleted }, found);
    if (delta.revision !== undefined) refuseChangedSince(store, map, { planned, revision: delta.revision });
    return planned;
  };
  const sent = [...added.features, ...modified.features];
  const warnings = [...added.warnings, ...modified.warnings];
  return run(store, { geo_id: geoId, body: delta, kind: 'delta', warnings, sent, plan }, saving);
}

function run(store: MapStore, request: SaveRequest, saving: Saving): SaveResult {
  const repeatable = repeatableOf(request, saving.author);
  return revise(store, () => prepare(store, request, { saving, repeatable }));
}

function prepare(
  store: MapStore,
  request: SaveRequest,
  { saving, repeatable }: { saving: Saving; repeatable: Repeatable | undefined },
): Prepared<SaveResult> | { answer: SaveResult } {
  const { author, cancelled, devices } = saving;
  const { map_uuid } = existingMap(store, request.geo_id);
  const kept = repeatable && keptAnswer(store, repeatable);
  if (repeatable !== undefined && kept?.digest === repeatable.digest) return { answer: answerOf(kept) };
  refuseImpossibleDevices(request.sent, { devices, stored: (id) => onMap(store, map_uuid, id) });
  const map = mapToChange(store, map_uuid);
  if (kept !== undefined) throw reusedId(repeatable?.save_id ?? '');
  const change = request.plan(map);
  refuseOtherTypes(change);
  const goesOn = (): void => throwIfCancelled(cancelled);
  const done = (revision: number) => {
    const result = resultOf(request, { map_uuid, revision, change });
    const keep = repeatable && { ...repeatable, map_uuid, answer: JSON.stringify(result) };
    return () => {
      goesOn(); // the last moment: what follows is the commit
      if (keep !== undefined) store.history.keepAnswer(keep);
      return result;
    };
  };
  return { map, change, kind: request.kind, author, done, goesOn };
}

type Repeatable = Pick<KeptAnswer, 'save_id' | 'digest' | 'at'>;

/** Tells a repeat of a save from another save with the same id. */
function repeatableOf({ body, kind, geo_id }: SaveRequest, { user_id, at }: Author): Repeatable | undefined {
  const { save_id, ...content } = body;
  if (save_id === undefined) return undefined;
  const digest = createHash('sha256')
    .update(JSON.stringify([kind, user_id, { ...content, geo_id }]))
    .digest('hex');
  return { save_id, digest, at };
}

function keptAnswer({ history }: MapStore, { save_id, at }: Repeatable) {
  return history.answer(save_id, new Date(Date.parse(at) - answersKeptMs).toISOString());
}

function answerOf({ answer }: Pick<KeptAnswer, 'answer'>): SaveResult {
  return JSON.parse(answer) as SaveResult; // written by keepAnswer alone
}

function reusedId(save_id: string): Refusal {
  return new Refusal('save_id_reused', `the save_id ${save_id} belongs to another save: another body, call or user`);
}

function onMap({ overlays }: MapStore, mapId: string, id: string): FeatureRecord | undefined {
  const found = overlays.get(id);
  return found?.map_uuid === mapId ? found : undefined;
}

function resultOf(
  { sent, warnings }: SaveRequest,
  { map_uuid, revision, change }: { map_uuid: string; revision: number; change: Planned },
): SaveResult {
  const { added, modified, deleted, unchanged } = change;
  return {
    map_uuid,
    revision,
    added: added.length,
    modified: modified.length,
    deleted: deleted.length,
    unchanged,
    features: sent.map(idOf),
    warnings,
  };
}

function refuseKnown({ overlays }: MapStore, map: DesignRecord, added: readonly SentFeature[]): void {
  for (const { unique_id } of added) {
    const known = overlays.get(unique_id);
    if (known === undefined) continue;
    throw known.map_uuid === map.map_uuid ? duplicateFeature(unique_id, 'is already on the map') : ofOtherMap(known);
  }
}

/**
 * The stored features with these ids. A missing one was deleted by another client since `revision`, or never existed.
 */
function findChanged(
  store: MapStore,
  map: DesignRecord,
  { ids, revision }: { ids: readonly string[]; revision: number | undefined },
): Map<string, FeatureRecord> {
  const found = new Map<string, FeatureRecord>();
  const missing = new Set<string>();
  for (const id of ids) {
    const known = store.overlays.get(id);
    if (known === undefined) missing.add(id);
    else if (known.map_uuid !== map.map_uuid) throw ofOtherMap(known);
    else found.set(id, known);
  }
  if (missing.size === 0) return found;
  if (revision !== undefined) {
    const changed = changesSince(store, map, { revision, only: missing });
    const mayBe = changed.length > 0 || store.history.countSince(map.map_uuid, revision) > mostChanges;
    if (mayBe) throw revisionConflict(map, changed, 'features of the delta were deleted meanwhile');
  }
  const list = [...missing].slice(0, 100);
  throw new Refusal('not_found', `there is no feature ${list.join(', ')} on the map`, { members: { features: list } });
}

function refuseChangedSince(
  store: MapStore,
  map: DesignRecord,
  { planned, revision }: { planned: Planned; revision: number },
): void {
  const touched = [...planned.modified.map(({ before }) => before), ...planned.deleted];
  const only = new Set(touched.filter((feature) => feature.changed_revision > revision).map(idOf));
  if (only.size === 0 && revision <= map.revision) return;
  const changed = changesSince(store, map, { revision, only });
  throw revisionConflict(map, changed, 'features of the delta were changed meanwhile');
}

function staleFullSave(store: MapStore, map: DesignRecord, revision: number): Refusal {
  const changed = changesSince(store, map, { revision });
  return revisionConflict(map, changed, `the map is at revision ${map.revision}, the save is based on ${revision}`);
}

function emptySave(map: DesignRecord): Refusal {
  return new Refusal('empty_save_refused', `would remove all ${map.feature_count} features: send allow_empty`, {
    members: { revision: map.revision, feature_count: map.feature_count },
  });
}

/** A client that does not state its revision may remove only what its own user drew or changed last. */
function refuseForeignRemovals(
  store: MapStore,
  map: DesignRecord,
  { planned, saving }: { planned: Planned; saving: Saving },
): void {
  const foreign = planned.deleted.filter((feature) => feature.changed_by !== saving.author.user_id);
  if (foreign.length === 0) return;
  const changed = changesSince(store, map, { revision: 0, only: new Set(foreign.map(idOf)) });
  throw revisionConflict(map, changed, `without revision, ${foreign.length} features of others would be removed`);
}

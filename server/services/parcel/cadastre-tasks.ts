import { randomUUID } from 'node:crypto';
import { type Cadastre, mostParcels } from '../../contract/cadastre.ts';
import { Refusal } from '../../contract/errors.ts';
import type { CadastreRepository, StoredParcel } from '../../db/repositories/cadastre.ts';
import { checkGeometry, isFault } from '../../domain/geometry/feature-geometry.ts';
import type { ToDegrees } from '../../exchange/coordinate-system.ts';
import { namesOf } from '../../exchange/parcel-columns.ts';
import { readParcelFile } from '../../exchange/parcel-file.ts';
import { systemOf } from '../../exchange/source-system.ts';
import { unreadable, type SourceFeature, type SourceFile } from '../../exchange/source-file.ts';
import { throwIfCancelled, type CancelFlag } from '../../worker/cancelling.ts';

export interface ImportSent {
  bytes: Uint8Array;
  name: string;
  attribution: string;
  /** Used when the file does not state it. */
  crs: string | undefined;
  /** ISO 8601 */
  imported_at: string;
}

/** Progress of an import, on shared memory: percent. */
type ImportProgress = Int32Array<SharedArrayBuffer>;

interface Running {
  cancelled: CancelFlag;
  progress: ImportProgress;
}

/** A ring with more corners is not a parcel. */
const mostPositions = 20_000;
/** Eight decimals of a degree are a millimetre. */
const decimals = 8;
const step = 500;

/** The tasks of the cadastre worker: plain data in, plain data out. */
export const cadastreTasks = { prepare, importParcels, removeCadastre };
export type CadastreTasks = typeof cadastreTasks;

/** A worker that answers has opened the file, and so has migrated it. */
function prepare(): void {}

/** Throws `unreadable_file`, `unknown_crs`, `payload_too_large`; then, or when cancelled, it stores nothing. */
function importParcels(store: CadastreRepository, sent: ImportSent, running: Running): Cadastre {
  const { bytes, name, attribution, imported_at } = sent;
  const source = readParcelFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (source.count > mostParcels) {
    throw new Refusal('payload_too_large', `it has ${source.count} parcels of at most ${mostParcels}`);
  }
  const { crs, toDegrees } = systemOf(source, sent.crs);
  const counts = { stored: 0, skipped: 0 };
  return store.add(parcelsOf(source, { toDegrees, counts, running }), () => {
    if (counts.stored === 0) throw unreadable('no row of it has an outline that can be drawn');
    const { stored: parcel_count, skipped: skipped_count } = counts;
    return { unique_id: randomUUID(), name, attribution, crs, parcel_count, skipped_count, imported_at };
  });
}

function removeCadastre(store: CadastreRepository, unique_id: string): boolean {
  return store.remove(unique_id);
}

interface Reading {
  toDegrees: ToDegrees;
  counts: { stored: number; skipped: number };
  running: Running;
}

function* parcelsOf({ features, count }: SourceFile, { toDegrees, counts, running }: Reading): Generator<StoredParcel> {
  for (const feature of features) {
    const done = counts.stored + counts.skipped;
    if (done % step === 0) {
      throwIfCancelled(running.cancelled);
      Atomics.store(running.progress, 0, Math.round((100 * done) / Math.max(1, count)));
    }
    const parcel = parcelOf(feature, toDegrees);
    if (parcel === null) counts.skipped += 1;
    else {
      counts.stored += 1;
      yield parcel;
    }
  }
}

function parcelOf({ properties, geometry }: SourceFeature, toDegrees: ToDegrees): StoredParcel | null {
  if (geometry === null || (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')) return null;
  const left = { positions: mostPositions };
  const coordinates = converted(geometry.coordinates, { toDegrees, left, depth: 0 });
  if (left.positions < 0) return null;
  const checked = checkGeometry({ type: geometry.type, coordinates }, 'site');
  return isFault(checked) ? null : { ...namesOf(properties), geometry: checked.geometry };
}

/** Converts nested lists of positions; anything else is left to the check. */
function converted(
  value: unknown,
  { toDegrees, left, depth }: { toDegrees: ToDegrees; left: { positions: number }; depth: number },
): unknown {
  if (!Array.isArray(value) || left.positions < 0) return null;
  if (value.every((one): one is number => typeof one === 'number')) {
    left.positions -= 1;
    return toDegrees(value).map((degrees) => Number(degrees.toFixed(decimals)));
  }
  return depth > 3 ? null : value.map((inner: unknown) => converted(inner, { toDegrees, left, depth: depth + 1 }));
}

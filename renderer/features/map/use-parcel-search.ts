import { shallowRef } from 'vue';
import { parcelEndpoints, parcelRows, type Parcel, type ParcelRow } from '../../../server/contract/parcel.ts';
import { ApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { pathsOf } from '../../map/geometry.ts';
import type { PreviewLine } from '../../map/preview-lines.ts';
import { useFollowedJob } from '../../ui/followed-job.ts';

/** What can be saved: an outline with a name. */
export interface FoundParcel {
  name: string;
  parcel: Parcel;
}

/** Parcels by address, or from a table as a job with progress. */
export function useParcelSearch() {
  const call = useCall();
  const { progress, isRunning, follow, cancel } = useFollowedJob();
  const found = shallowRef<FoundParcel[]>([]);
  /** Rows of the table that brought no parcel. */
  const bad = shallowRef<ParcelRow[]>([]);
  /** So many of the last answer were left out, for their outline is not valid. */
  const skipped = shallowRef(0);
  /** Places in `found`. */
  const chosen = shallowRef<number[]>([]);

  /** The place of a parcel in `found`; it is added where it is not there. */
  function placeOf(one: FoundParcel): number {
    const shape = JSON.stringify(one.parcel.geometry);
    const known = found.value.findIndex(({ parcel }) => JSON.stringify(parcel.geometry) === shape);
    if (known !== -1) return known;
    found.value = [...found.value, one];
    return found.value.length - 1;
  }

  /** The selection stays for the next search. */
  function keepChosen(): void {
    found.value = chosen.value.flatMap((index) => found.value[index] ?? []);
    chosen.value = found.value.map((_, index) => index);
    bad.value = [];
    skipped.value = 0;
  }

  /** Of a place that was clicked: what is known there is chosen or not any more, what is not is added. */
  async function byPlace(place: { lat: number; lng: number }): Promise<void> {
    const answer = await call(parcelEndpoints.at, { body: place });
    skipped.value = answer.skipped;
    const [parcel] = answer.parcels;
    if (parcel === undefined) throw new ApiError('parcel_not_found', 'no parcel is known there', {});
    const at = placeOf({ name: parcel.address || parcel.parcel_id, parcel });
    chosen.value = chosen.value.includes(at) ? chosen.value.filter((one) => one !== at) : [...chosen.value, at];
  }

  async function byAddress(address: string): Promise<void> {
    const answer = await call(parcelEndpoints.fromAddress, { body: { address } });
    const { candidates } = answer;
    keepChosen();
    skipped.value = answer.skipped;
    const places = candidates.map((parcel) => placeOf({ name: parcel.address || address, parcel }));
    if (places.length === 1) chosen.value = [...new Set([...chosen.value, ...places])];
  }

  async function byTable(file: File): Promise<void> {
    const form = new FormData();
    form.append('file', file);
    const begun = await call(parcelEndpoints.fromCsv, { query: { async: true }, form });
    const told: unknown = 'rows' in begun ? begun : await follow(begun.job_id);
    if (told === null) return;
    const { rows } = parcelRows.parse(told);
    skipped.value = 0;
    found.value = rows.flatMap(({ name, address, parcel }) =>
      parcel === undefined ? [] : [{ name: name || address || parcel.address, parcel }],
    );
    bad.value = rows.filter(({ parcel }) => parcel === undefined);
    chosen.value = found.value.map((_, index) => index);
  }

  return { found, bad, skipped, chosen, progress, isSearching: isRunning, byAddress, byTable, byPlace, cancel };
}

/** What to show on the map: outlines, selected ones thick, and rows without a parcel. */
export function outlinesOf(
  found: readonly FoundParcel[],
  chosen: readonly number[],
  bad: readonly ParcelRow[] = [],
): PreviewLine[] {
  const faults = bad.flatMap(({ place }) =>
    place === undefined ? [] : { positions: [[place.lng, place.lat]], isMain: false, isFault: true },
  );
  const outlines = found.flatMap(({ parcel }, index) =>
    pathsOf(parcel.geometry).map(({ positions }) => ({
      positions: [...positions, ...positions.slice(0, 1)],
      isMain: chosen.includes(index),
    })),
  );
  return [...outlines, ...faults];
}

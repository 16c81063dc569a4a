import { shallowRef } from 'vue';
import { parcelEndpoints, parcelRows } from '../../../server/contract/parcel.ts';
import type { Parcel, ParcelRow } from '../../../server/contract/parcel.ts';
import { useCall } from '../../client/client.ts';
import { useFollowedJob } from '../../ui/followed-job.ts';

/** What can be saved: an outline with a name. */
export interface FoundParcel {
  name: string;
  parcel: Parcel;
}

/** Parcels by address, or by a table as a job whose progress is shown. */
export function useParcelSearch() {
  const call = useCall();
  const { progress, isRunning, follow, cancel } = useFollowedJob();
  const found = shallowRef<FoundParcel[]>([]);
  /** Rows of the table that brought no parcel. */
  const bad = shallowRef<ParcelRow[]>([]);

  function forget(): void {
    found.value = [];
    bad.value = [];
  }

  async function byAddress(address: string): Promise<void> {
    forget();
    const { candidates } = await call(parcelEndpoints.fromAddress, { body: { address } });
    found.value = candidates.map((parcel) => ({ name: parcel.address || address, parcel }));
  }

  async function byTable(file: File): Promise<void> {
    forget();
    const form = new FormData();
    form.append('file', file);
    const begun = await call(parcelEndpoints.fromCsv, { query: { async: true }, form });
    const told: unknown = 'rows' in begun ? begun : await follow(begun.job_id);
    if (told === null) return;
    const { rows } = parcelRows.parse(told);
    found.value = rows.flatMap(({ name, address, parcel }) =>
      parcel === undefined ? [] : [{ name: name || address || parcel.address, parcel }],
    );
    bad.value = rows.filter(({ parcel }) => parcel === undefined);
  }

  return { found, bad, progress, isSearching: isRunning, byAddress, byTable, cancel, forget };
}

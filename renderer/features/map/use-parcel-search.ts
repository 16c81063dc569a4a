import { computed, onScopeDispose, shallowRef } from 'vue';
import { jobEndpoints } from '../../../server/contract/job.ts';
import { parcelEndpoints, parcelRows } from '../../../server/contract/parcel.ts';
import type { Parcel, ParcelRow } from '../../../server/contract/parcel.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';

/** What can be saved: an outline with a name. */
export interface FoundParcel {
  name: string;
  parcel: Parcel;
}

const pollMs = 500;

/** Parcels by address, or by a table as a job whose progress is shown. */
export function useParcelSearch() {
  const call = useCall();
  const found = shallowRef<FoundParcel[]>([]);
  /** Rows of the table that brought no parcel. */
  const bad = shallowRef<ParcelRow[]>([]);
  const progress = shallowRef<{ done: number; total: number } | null>(null);
  let job_id: string | null = null;

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
    const rows = 'rows' in begun ? begun : await resultOf(begun.job_id);
    if (rows === null) return;
    found.value = rows.rows.flatMap(({ name, address, parcel }) =>
      parcel === undefined ? [] : [{ name: name || address || parcel.address, parcel }],
    );
    bad.value = rows.rows.filter(({ parcel }) => parcel === undefined);
  }

  /** Null where it was cancelled. */
  async function resultOf(id: string) {
    job_id = id;
    try {
      for (;;) {
        const { status, done, total, result, error } = await call(jobEndpoints.get, { params: { job_id: id } });
        progress.value = { done, total };
        if (status === 'done') return parcelRows.parse(result);
        if (status === 'failed') throw new Error(error?.detail);
        if (status === 'cancelled' || job_id !== id) return null;
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    } catch (error) {
      if (isApiError(error) && error.code === 'not_found') return null; // cancelled and forgotten
      throw error;
    } finally {
      progress.value = null;
      job_id = null;
    }
  }

  function cancel(): void {
    const id = job_id;
    job_id = null;
    if (id !== null) void call(jobEndpoints.remove, { params: { job_id: id } }).catch(() => undefined);
  }

  onScopeDispose(cancel);
  return {
    found,
    bad,
    progress,
    isSearching: computed(() => progress.value !== null),
    byAddress,
    byTable,
    cancel,
    forget,
  };
}

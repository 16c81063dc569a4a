import { useIntervalFn } from '@vueuse/core';
import { shallowRef } from 'vue';
import type { BaseMap } from '../../../../server/contract/base-map.ts';
import { mapAreaEndpoints, type AreaDownload } from '../../../../server/contract/map-area.ts';
import { useCall } from '../../../client/client.ts';

export type AreaDownloads = ReturnType<typeof useAreaDownloads>;

const everyMs = 2_000;

/**
 * Areas being stored as map files, polled every two seconds. Calls `finished` when one has become a map file or was
 * given up.
 */
export function useAreaDownloads(finished: () => unknown) {
  const call = useCall();
  const downloads = shallowRef<AreaDownload[]>([]);
  const error = shallowRef<unknown>(null);

  async function load(): Promise<void> {
    try {
      const known = downloads.value.length;
      downloads.value = (await call(mapAreaEndpoints.list)).downloads;
      error.value = null;
      if (downloads.value.length < known) finished();
    } catch (thrown) {
      error.value = thrown;
    }
  }

  /** `complete` requests the missing parts of a stored area again. */
  async function act(
    action: 'pause' | 'resume' | 'complete',
    { base_map_id }: { base_map_id: string | null },
  ): Promise<void> {
    if (base_map_id === null) return;
    try {
      await call(mapAreaEndpoints[action], { params: { base_map_id } });
      await load();
    } catch (thrown) {
      error.value = thrown;
    }
  }

  async function cancel({ base_map_id }: AreaDownload): Promise<void> {
    await call(mapAreaEndpoints.cancel, { params: { base_map_id } });
    await load();
  }

  function mayComplete({ base_map_id, area, missing_tiles }: BaseMap): boolean {
    if (area === null || (missing_tiles ?? 0) === 0) return false;
    return downloads.value.every((one) => one.base_map_id !== base_map_id);
  }

  void load();
  useIntervalFn(() => void load(), everyMs);
  return { downloads, error, load, act, cancel, mayComplete };
}

import { computed, onScopeDispose, shallowRef } from 'vue';
import { jobEndpoints } from '../../server/contract/job.ts';
import type { Job } from '../../server/contract/job.ts';
import { ApiError, isApiError } from '../client/api-error.ts';
import { useCall } from '../client/client.ts';

const pollMs = 500;

/** Long work of the server that a page began: how far it is, what came of it, and its end on demand or with the page. */
export function useFollowedJob() {
  const call = useCall();
  const progress = shallowRef<Pick<Job, 'done' | 'total'> | null>(null);
  let followed: string | null = null;

  /** What came of it; null where it was cancelled. Throws what it failed with. */
  async function follow(job_id: string): Promise<unknown> {
    followed = job_id;
    try {
      for (;;) {
        const { status, done, total, result, error } = await call(jobEndpoints.get, { params: { job_id } });
        if (followed !== job_id || status === 'cancelled') return null;
        progress.value = { done, total };
        if (status === 'done') return result;
        if (status === 'failed') throw new ApiError(error?.code ?? 'unexpected', error?.detail ?? '', {});
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    } catch (error) {
      if (isApiError(error) && error.code === 'not_found') return null; // cancelled and forgotten
      throw error;
    } finally {
      progress.value = null;
      followed = null;
    }
  }

  function cancel(): void {
    const job_id = followed;
    followed = null;
    if (job_id !== null) void call(jobEndpoints.remove, { params: { job_id } }).catch(() => undefined);
  }

  onScopeDispose(cancel);
  return { progress, isRunning: computed(() => progress.value !== null), follow, cancel };
}

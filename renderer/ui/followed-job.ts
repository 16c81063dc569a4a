import { computed, onScopeDispose, shallowRef } from 'vue';
import { jobEndpoints, type Job } from '../../server/contract/job.ts';
import { ApiError, isApiError } from '../client/api-error.ts';
import { useCall } from '../client/client.ts';

const pollMs = 500;

/**
 * Long work of the server that a page began: how far it is, what came of it, and its end on demand. When the page is left, work of which nobody
 * would see the result ends too; what is done for its own sake (`goesOn`) does not.
 */
export function useFollowedJob({ goesOn = false } = {}) {
  const call = useCall();
  const progress = shallowRef<Pick<Job, 'done' | 'total'> | null>(null);
  let followed: string | null = null;

  /** What came of it; null where it was cancelled or is followed no more. Throws what it failed with. */
  async function follow(job_id: string): Promise<unknown> {
    followed = job_id;
    try {
      while (followed === job_id) {
        const { status, done, total, result, error } = await call(jobEndpoints.get, { params: { job_id } });
        if (status === 'cancelled' || followed !== job_id) return null;
        progress.value = { done, total };
        if (status === 'done') return result;
        if (status === 'failed') throw failure(error);
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
      return null;
    } catch (error) {
      if (isApiError(error) && error.code === 'not_found') return null; // cancelled and forgotten
      throw error;
    } finally {
      if (followed === job_id) followed = null;
      if (followed === null) progress.value = null; // else that of a later one
    }
  }

  function cancel(): void {
    const job_id = followed;
    followed = null;
    if (job_id !== null) void call(jobEndpoints.remove, { params: { job_id } }).catch(() => undefined);
  }

  onScopeDispose(() => (goesOn ? (followed = null) : cancel()));
  return { progress, isRunning: computed(() => progress.value !== null), follow, cancel };
}

/** As the same call would have been refused; its members go with it. */
function failure(error: Job['error']): ApiError {
  if (error === undefined) return new ApiError('unexpected', '', {});
  const { code, detail } = error;
  return new ApiError(code, detail, {
    problem: { ...error, type: 'about:blank', title: '', status: 0, request_id: '' },
  });
}

import { computed, onScopeDispose, shallowRef } from 'vue';
import { jobEndpoints, type Job } from '../../server/contract/job.ts';
import { ApiError, isApiError } from '../client/api-error.ts';
import { useCall } from '../client/client.ts';

const pollMs = 500;

/**
 * A long server job started by a page: progress, result and cancellation. Leaving the page also cancels the job,
 * because its result could no longer be seen, unless it is useful in itself (`goesOn`).
 */
export function useFollowedJob({ goesOn = false } = {}) {
  const call = useCall();
  const progress = shallowRef<Pick<Job, 'done' | 'total'> | null>(null);
  let followed: string | null = null;

  /** The result; null when it was cancelled or is no longer followed. Throws the job's error. */
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
      if (followed === null) progress.value = null; // else it belongs to a later one
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

/** The error as the same call would have been refused, with its members. */
function failure(error: Job['error']): ApiError {
  if (error === undefined) return new ApiError('unexpected', '', {});
  const { code, detail } = error;
  return new ApiError(code, detail, {
    problem: { ...error, type: 'about:blank', title: '', status: 0, request_id: '' },
  });
}

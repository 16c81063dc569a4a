import {
  mostPipeDevicesAtOnce,
  pipeEndpoints,
  pipePlan,
  type PipePlan,
  type PipeRequest,
} from '../../../server/contract/pipe.ts';
import { useCall } from '../../client/client.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useFollowedJob } from '../../ui/followed-job.ts';

/** The inputs of a plan, besides the map and what is done with the result. */
export type Wanted = Omit<PipeRequest, 'geo_id' | 'save' | 'replaces'>;

type Asking = Pick<PipeRequest, 'save' | 'replaces'> & {
  /** Looked at once the job has begun: one that is not wanted any more is cancelled. */
  isWanted?: () => boolean;
};

/**
 * Requests plans of the open map, one at a time. Plans for many devices are jobs with progress, which can be cancelled.
 */
export function usePipeRequests() {
  const call = useCall();
  const store = useOpenMap();
  const { progress, follow, cancel } = useFollowedJob({ goesOn: true });

  /** Null where it was cancelled. Devices that were placed a moment ago are saved first. */
  async function ask(wanted: Wanted, { isWanted, ...keeping }: Asking = {}): Promise<PipePlan | null> {
    const geo_id = store.design?.map_uuid;
    if (geo_id === undefined) return null;
    await store.flush();
    const isLong = wanted.device_ids.length > mostPipeDevicesAtOnce;
    const body = { ...wanted, ...keeping, geo_id };
    const begun = await call(pipeEndpoints.generate, { body, query: isLong ? { async: true } : {} });
    if (!('job_id' in begun)) return begun;
    const followed = follow(begun.job_id);
    if (isWanted?.() === false) cancel();
    const result = await followed;
    return result === null ? null : pipePlan.parse(result);
  }

  return { ask, progress, cancel };
}

import { computed, onScopeDispose, shallowRef } from 'vue';
import { designEndpoints } from '../../../server/contract/design.ts';
import { jobEndpoints } from '../../../server/contract/job.ts';
import {
  mostPipeDevicesAtOnce,
  pipeEndpoints,
  pipePlan,
  type PipePlan,
  type PipeRequest,
} from '../../../server/contract/pipe.ts';
import { useCall } from '../../client/client.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useSubmission } from '../../ui/submission.ts';
import { plansOf } from './moved-pipes.ts';

export type Wanted = Omit<PipeRequest, 'geo_id' | 'save' | 'replaces'>;

/** A plan that was kept to be compared with others. */
export interface Alternative {
  name: string;
  wanted: Wanted;
  plan: PipePlan;
}

const mostAlternatives = 5;

const pollMs = 500;

/** Pipes between devices of the open map: looked at first, then kept in place of those that were laid before. */
export function usePipes() {
  const call = useCall();
  const store = useOpenMap();
  const submission = useSubmission();
  const plan = shallowRef<PipePlan | null>(null);
  /** What the plan was asked with: it is saved as it was shown. */
  const shown = shallowRef<Wanted | null>(null);
  const alternatives = shallowRef<readonly Alternative[]>([]);
  const progress = shallowRef<{ done: number; total: number } | null>(null);
  let job_id: string | null = null;

  /** Null where it was cancelled. Devices that were placed a moment ago are saved first. */
  async function ask(body: PipeRequest): Promise<PipePlan | null> {
    await store.flush();
    const isLong = body.device_ids.length > mostPipeDevicesAtOnce;
    const begun = await call(pipeEndpoints.generate, { body, query: isLong ? { async: true } : {} });
    return 'job_id' in begun ? resultOf(begun.job_id) : begun;
  }

  async function resultOf(id: string): Promise<PipePlan | null> {
    job_id = id;
    try {
      for (;;) {
        const { status, done, total, result, error } = await call(jobEndpoints.get, { params: { job_id: id } });
        progress.value = { done, total };
        if (status === 'done') return pipePlan.parse(result);
        if (status === 'failed') throw new Error(error?.detail);
        if (status === 'cancelled' || job_id !== id) return null;
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
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

  async function show(wanted: Wanted): Promise<void> {
    const geo_id = store.design?.map_uuid;
    if (geo_id === undefined) return;
    plan.value = null;
    await submission.run(async () => {
      plan.value = await ask({ ...wanted, geo_id });
      shown.value = wanted;
    });
  }

  /** Works the plan out again that is shown, by prices that have changed. */
  async function renew(): Promise<void> {
    if (shown.value !== null) await show(shown.value);
  }

  /** Keeps the plan that is shown for a comparison; the oldest goes where there are too many. */
  function keep(name: string): void {
    const { value: found } = plan;
    if (found === null || shown.value === null) return;
    alternatives.value = [...alternatives.value, { name, wanted: shown.value, plan: found }].slice(-mostAlternatives);
  }

  function choose(at: number): void {
    const chosen = alternatives.value[at];
    if (chosen === undefined) return;
    plan.value = chosen.plan;
    shown.value = chosen.wanted;
  }

  function drop(at: number): void {
    alternatives.value = alternatives.value.toSpliced(at, 1);
  }

  /** Puts the plan that is shown on the map; true when that was done. */
  async function save(): Promise<boolean> {
    const geo_id = store.design?.map_uuid;
    const wanted = shown.value;
    if (geo_id === undefined || wanted === null) return false;
    return submission.run(async () => {
      const [replaces] = plansOf(store.features);
      plan.value = await ask({ ...wanted, geo_id, save: true, ...(replaces !== undefined && { replaces }) });
      store.follow(await call(designEndpoints.get, { params: { map_uuid: geo_id } }));
    });
  }

  onScopeDispose(cancel);
  return {
    plan,
    alternatives,
    keep,
    choose,
    drop,
    progress,
    submission,
    show,
    renew,
    save,
    cancel,
    forget,
    isSearching: computed(() => progress.value !== null),
  };

  /** What was found no longer is what is asked for. */
  function forget(): void {
    plan.value = null;
    submission.forget();
  }
}

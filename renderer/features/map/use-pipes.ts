import { onScopeDispose, shallowRef } from 'vue';
import { designEndpoints } from '../../../server/contract/design.ts';
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

/** Pipes between devices of the open map: looked at first, then kept in place of those that were laid before. */
export function usePipes() {
  const call = useCall();
  const store = useOpenMap();
  const submission = useSubmission();
  const plan = shallowRef<PipePlan | null>(null);
  /** What the plan was asked with: it is saved as it was shown. */
  const shown = shallowRef<Wanted | null>(null);
  const alternatives = shallowRef<readonly Alternative[]>([]);
  onScopeDispose(forget); // before the job is followed no more: what is only looked for ends
  const { progress, isRunning, follow, cancel } = useFollowedJob({ goesOn: true });
  /** Counts what is asked and forgotten: an answer to an earlier one is not shown. */
  let latest = 0;
  /** What is asked for while something still runs. */
  let next: Wanted | null = null;
  let isSaving = false;

  /** Null where it was cancelled. Devices that were placed a moment ago are saved first. */
  async function ask(body: PipeRequest, isWanted = () => true): Promise<PipePlan | null> {
    await store.flush();
    const isLong = body.device_ids.length > mostPipeDevicesAtOnce;
    const begun = await call(pipeEndpoints.generate, { body, query: isLong ? { async: true } : {} });
    if (!('job_id' in begun)) return begun;
    const followed = follow(begun.job_id);
    if (!isWanted()) cancel();
    const result = await followed;
    return result === null ? null : pipePlan.parse(result);
  }

  async function show(wanted: Wanted): Promise<void> {
    const geo_id = store.design?.map_uuid;
    if (geo_id === undefined) return;
    if (submission.isBusy.value) {
      next = wanted;
      return;
    }
    plan.value = null;
    const mine = (latest += 1);
    const isWanted = (): boolean => mine === latest;
    await submission.run(async () => {
      const found = await ask({ ...wanted, geo_id }, isWanted);
      if (!isWanted()) return;
      plan.value = found;
      shown.value = wanted;
    });
    if (!isWanted()) submission.forget();
    await showNext();
  }

  async function showNext(): Promise<void> {
    const wanted = next;
    next = null;
    if (wanted !== null) await show(wanted);
  }

  /** Works the plan out again that is shown, by prices that have changed, and then those that are compared. */
  async function renew(): Promise<void> {
    const geo_id = store.design?.map_uuid;
    const wanted = shown.value;
    if (wanted === null || geo_id === undefined) return;
    const before = plan.value;
    await show(wanted);
    const now = plan.value;
    const mine = latest;
    for (const old of alternatives.value) {
      const again = old.plan === before ? now : await ask({ ...old.wanted, geo_id }).catch(() => null);
      if (mine !== latest) return;
      if (again !== null)
        alternatives.value = alternatives.value.map((one) => (one === old ? { ...one, plan: again } : one));
    }
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
    forget();
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
    const mine = latest;
    let found = null as PipePlan | null; // set by the work
    const isDone = await submission.run(async () => {
      isSaving = true;
      try {
        const [replaces] = plansOf(store.features);
        found = await ask({ ...wanted, geo_id, save: true, ...(replaces !== undefined && { replaces }) });
        if (mine === latest) plan.value = found;
        const read = await call(designEndpoints.get, { params: { map_uuid: geo_id } });
        // What is drawn meanwhile stays: once it is saved, it is joined with these.
        const isNewer = store.design?.map_uuid === geo_id && read.revision > store.revision();
        if (isNewer && !store.isUnsaved()) store.follow(read);
      } finally {
        isSaving = false;
      }
    });
    void showNext();
    return isDone && found !== null;
  }

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
    isSearching: isRunning,
  };

  /** What was found, or is being looked for, no longer is what is asked for; a plan that is being saved is saved. */
  function forget(): void {
    latest += 1;
    next = null;
    if (!isSaving) cancel();
    plan.value = null;
    submission.forget();
  }
}

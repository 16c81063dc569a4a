import { onScopeDispose, shallowRef } from 'vue';
import { designEndpoints } from '../../../server/contract/design.ts';
import type { PipePlan } from '../../../server/contract/pipe.ts';
import { useCall } from '../../client/client.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useSubmission } from '../../ui/submission.ts';
import { plansOf } from './moved-pipes.ts';
import { usePipeAlternatives } from './use-pipe-alternatives.ts';
import { usePipeRequests, type Wanted } from './use-pipe-requests.ts';

/** Pipes between devices of the open map: looked at first, then kept in place of those that were laid before. */
export function usePipes() {
  const call = useCall();
  const store = useOpenMap();
  const submission = useSubmission();
  const plan = shallowRef<PipePlan | null>(null);
  /** The request behind the plan: it is saved as it was shown. */
  const shown = shallowRef<Wanted | null>(null);
  onScopeDispose(forget); // before the job is followed no more: what is only looked for ends
  const { ask, progress, cancel } = usePipeRequests();
  const { alternatives, add, drop, replace } = usePipeAlternatives();
  /** Plans whose prices have changed since. */
  const outdated = shallowRef<ReadonlySet<PipePlan>>(new Set());
  /** Counts requests and resets: an answer to an earlier one is not shown. */
  let latest = 0;
  /** Runs when nothing else does. */
  let next: (() => Promise<void>) | null = null;
  let isSaving = false;

  /** Searches for plans, one by one; results count while they are wanted. */
  async function look(work: (isWanted: () => boolean) => Promise<void>): Promise<void> {
    if (submission.isBusy.value) {
      next = () => look(work);
      return;
    }
    const mine = (latest += 1);
    const isWanted = (): boolean => mine === latest;
    await submission.run(() => work(isWanted));
    if (!isWanted()) submission.forget();
    await goOn();
  }

  async function goOn(): Promise<void> {
    const waiting = next;
    next = null;
    await waiting?.();
  }

  function show(wanted: Wanted): Promise<void> {
    return look(async (isWanted) => {
      plan.value = null;
      const found = await ask(wanted, { isWanted });
      if (!isWanted()) return;
      plan.value = found;
      shown.value = wanted;
    });
  }

  /**
   * Prices have changed: those of the plan that is shown and of those that are compared are old until they are worked
   * out again.
   */
  function priced(): Promise<void> {
    outdated.value = new Set([plan.value ?? [], alternatives.value.map((one) => one.plan)].flat());
    return renew();
  }

  /** Recalculates plans with old prices. Plans not reached because of a cancellation or refusal keep them. */
  function renew(): Promise<void> {
    return look(async (isWanted) => {
      const { value: before } = plan;
      let now: PipePlan | null = null;
      if (before !== null && shown.value !== null && outdated.value.has(before)) {
        now = await ask(shown.value, { isWanted });
        if (now === null) return;
        if (isWanted()) plan.value = now;
      }
      for (const old of alternatives.value.filter((one) => outdated.value.has(one.plan))) {
        const again = old.plan === before && now !== null ? now : await ask(old.wanted, { isWanted });
        if (again === null) return;
        replace(old, again);
      }
    });
  }

  /** Keeps the plan that is shown for a comparison. */
  function keep(name: string): void {
    if (plan.value !== null && shown.value !== null) add({ name, wanted: shown.value, plan: plan.value });
  }

  function choose(at: number): void {
    const chosen = alternatives.value[at];
    if (chosen === undefined) return;
    forget();
    plan.value = chosen.plan;
    shown.value = chosen.wanted;
  }

  /** Puts the plan that is shown on the map; true when that was done. */
  async function save(): Promise<boolean> {
    const geo_id = store.design?.map_uuid;
    const { value: wanted } = shown;
    if (geo_id === undefined || wanted === null) return false;
    const mine = latest;
    let found = null as PipePlan | null; // set by the work
    const isDone = await submission.run(async () => {
      isSaving = true;
      const [replaces] = plansOf(store.features);
      const saved = ask(wanted, { save: true, ...(replaces !== undefined && { replaces }) });
      found = await saved.finally(() => (isSaving = false));
      if (mine === latest && found !== null) plan.value = found;
      await readAgain(geo_id);
    });
    void goOn();
    return isDone && found !== null;
  }

  /** Edits made meanwhile stay: once saved, they are merged with what was read. */
  async function readAgain(map_uuid: string): Promise<void> {
    const read = await call(designEndpoints.get, { params: { map_uuid } });
    const isNewer = store.design?.map_uuid === map_uuid && read.revision > store.revision();
    if (isNewer && !store.isUnsaved()) await store.follow(read);
  }

  const ways = { keep, choose, drop, show, priced, renew, save, cancel, forget };
  return { plan, alternatives, outdated, progress, submission, ...ways };

  /** What was found, or is being looked for, no longer is what is asked for; a plan that is being saved is saved. */
  function forget(): void {
    latest += 1;
    next = null;
    if (!isSaving) cancel();
    plan.value = null;
    submission.forget();
  }
}

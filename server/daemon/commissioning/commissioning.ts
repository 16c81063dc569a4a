import { randomUUID } from 'node:crypto';
import type { ReferenceReading } from '../../contract/commissioning-accuracy.ts';
import type { Finding } from '../../contract/commissioning-finding.ts';
import type {
  CheckItem,
  CheckOverview,
  CheckPlan,
  CheckVerdict,
  CommissioningCheck,
} from '../../contract/commissioning.ts';
import type { Facility } from '../../contract/facility.ts';
import type { MeasuredDevice } from '../../contract/measured.ts';
import type { StoredCheck, UnderTest } from '../../db/repositories/commissioning.ts';
import { messageOf } from '../../domain/commissioning/finding.ts';
import { summarise } from '../../domain/commissioning/summary.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import type { Clock } from '../clock.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { CheckStore } from '../store/control-store.ts';
import type { Outputs } from '../controllers/output/outputs.ts';
import type { EventRing } from '../events/events.ts';
import type { LiveValues } from '../events/live-values.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import { holdAgainst } from './accuracy.ts';
import { CheckRun } from './check-run.ts';
import { newItems } from './check-items.ts';
import { nextStatus, phaseOf, type CheckEvent } from './check-states.ts';
import { bringBackAfterStart } from './former-state.ts';
import { beginAgain, giveUp, isRetested, isUndecided } from './retest.ts';
import type { RoundJudge } from './round-judge.ts';
import { giveVerdict } from './verdict.ts';

export interface CommissioningOptions {
  clock: Clock;
  configuration: Pick<Configuration, 'facility' | 'facilityStanding' | 'list'>;
  measured: Pick<MeasuredDevices, 'list'>;
  store: CheckStore;
  outputs: Outputs;
  /** Whether an emergency stop is active. */
  isStopped: () => boolean;
  live: LiveValues;
  events: EventRing;
  judge: RoundJudge;
  log: (line: string) => void;
}

interface Kept {
  check: CommissioningCheck;
  underTest: readonly UnderTest[];
  run: CheckRun | undefined;
}

/** The commissioning checks of all houses: started, run, judged and stored. */
export class Commissioning {
  readonly #options: CommissioningOptions;
  readonly #checks = new Map<string, Kept>();

  constructor(options: CommissioningOptions) {
    this.#options = options;
  }

  /** Takes over from the last daemon: a check that was running ends, and what it drove returns to its former state. */
  async start(): Promise<void> {
    const { store, configuration } = this.#options;
    const stored = await store.checks();
    const isGone = ({ check }: StoredCheck): boolean => configuration.facilityStanding(check.facility_uuid) === 'gone';
    const gone = stored.filter(isGone).map(({ check }) => check.check_id);
    if (gone.length > 0) await store.removeChecks(gone);
    for (const { check, under_test } of stored.filter((one) => !isGone(one))) {
      this.#checks.set(check.check_id, { check, underTest: under_test, run: undefined });
    }
    const left = [...this.#checks.values()].filter(({ check }) => check.status === 'running');
    await Promise.all(left.map((kept) => this.#endAfterRestart(kept)));
  }

  /** Ends running checks and brings back what they drive. */
  async stop(): Promise<void> {
    await Promise.all(this.#running().map((kept) => this.#end(kept, 'abort', { code: 'daemon_stopped' })));
    await this.#options.judge.close();
  }

  /** How long a check of a house would take. Throws RemoteFailure `not_found`, `nothing_bound`. */
  plan(facilityId: string): CheckPlan {
    const facility = this.#facility(facilityId);
    const kept: Kept = { check: this.#newCheck(facility, null, ''), underTest: [], run: undefined };
    return { takes_s: Math.round(this.#newRun(kept, { ...this.#houseOf(facility), isRetest: false }).left_s) };
  }

  /** Throws RemoteFailure `not_found`, `check_running`, `emergency_stopped`, `nothing_bound`, `invalid_argument`. */
  async begin(facilityId: string, include: readonly string[] | null, actor: string): Promise<CommissioningCheck> {
    const facility = this.#facility(facilityId);
    this.#refuseNow(facilityId);
    const check = this.#newCheck(facility, include, actor);
    const kept: Kept = { check, underTest: [], run: undefined };
    this.#checks.set(check.check_id, kept);
    await this.#keep(kept);
    kept.run = this.#newRun(kept, { ...this.#houseOf(facility), isRetest: false });
    this.#tell(check, null);
    kept.run.start();
    return check;
  }

  /**
   * Retries undecided items that have no verdict. Throws RemoteFailure `not_found`, `not_retestable`, `check_running`,
   * `emergency_stopped`.
   */
  async retest(checkId: string, actor: string): Promise<CommissioningCheck> {
    const kept = this.#kept(checkId);
    const { check } = kept;
    const { configuration, clock } = this.#options;
    const facility = configuration.facility(check.facility_uuid);
    const isOpen = nextStatus(check.status, 'retest') !== undefined;
    if (facility === undefined || !isOpen || !check.items.some(isUndecided)) {
      const why = isOpen ? 'nothing of it is undecided' : `it is ${check.status}`;
      throw new RemoteFailure('not_retestable', `nothing can be tested again: ${why}`);
    }
    this.#refuseNow(check.facility_uuid);
    beginAgain(check, { at: new Date(clock.now()).toISOString(), by: actor });
    this.#turn(check, 'retest');
    check.summary = summarise(check.items);
    await this.#keep(kept);
    kept.run = this.#newRun(kept, { ...this.#houseOf(facility), isRetest: true });
    this.#tell(check, null);
    kept.run.start();
    return check;
  }

  /** Throws RemoteFailure `not_found`, `not_running`. */
  async abort(checkId: string, actor: string): Promise<CommissioningCheck> {
    const kept = this.#kept(checkId);
    if (nextStatus(kept.check.status, 'abort') === undefined) {
      throw new RemoteFailure('not_running', `the check is ${kept.check.status} already`);
    }
    await this.#end(kept, 'abort', { code: 'aborted', by: actor });
    return kept.check;
  }

  /** Throws RemoteFailure `not_found`, also for a check of a facility that is gone. */
  get(checkId: string): CommissioningCheck {
    return this.#kept(checkId).check;
  }

  /** Latest first, without their items. */
  list(facilityId: string): CheckOverview[] {
    return [...this.#checks.values()]
      .filter(({ check }) => check.facility_uuid === facilityId && this.#isStanding(check))
      .map(({ check: { items: _, ...overview } }) => overview)
      .sort((one, other) => other.started_at.localeCompare(one.started_at));
  }

  /** Judges the items of a device and returns the first. Throws RemoteFailure `not_found`, and as `giveVerdict`. */
  async verdict(checkId: string, given: CheckVerdict, actor: string): Promise<CheckItem> {
    const kept = this.#kept(checkId);
    const { check } = kept;
    const at = new Date(this.#options.clock.now()).toISOString();
    const judged = giveVerdict(check, given, { by: actor, at });
    check.summary = summarise(check.items);
    if (check.summary.unjudged === 0) this.#turn(check, 'all_judged');
    await this.#keep(kept);
    this.#tell(check, judged);
    return judged;
  }

  /** Reopens a completed check to be judged anew. Throws RemoteFailure `not_found`, `not_completed`. */
  async reopen(checkId: string, reason: string, by: string): Promise<CommissioningCheck> {
    const kept = this.#kept(checkId);
    const { check } = kept;
    if (nextStatus(check.status, 'reopen') === undefined) {
      throw new RemoteFailure('not_completed', `the check is ${check.status}, not completed`);
    }
    const at = new Date(this.#options.clock.now()).toISOString();
    check.reopened = [...(check.reopened ?? []), { reason, by, at }];
    this.#turn(check, 'reopen');
    await this.#keep(kept);
    this.#tell(check, null);
    return check;
  }

  /** Throws RemoteFailure `not_found`, and as `holdAgainst`. */
  async holdAgainst(checkId: string, reading: ReferenceReading, by: string): Promise<CheckItem> {
    const kept = this.#kept(checkId);
    const { clock, events } = this.#options;
    const at = new Date(clock.now()).toISOString();
    const recent = (ageMs: number) => events.recent(ageMs);
    const item = holdAgainst(kept.check, reading, { measured: this.#measured(), recent, by, at });
    kept.check.summary = summarise(kept.check.items);
    await this.#keep(kept);
    this.#tell(kept.check, item);
    return item;
  }

  /** Throws RemoteFailure `not_found`. */
  #facility(facilityId: string): Facility {
    const facility = this.#options.configuration.facility(facilityId);
    if (facility === undefined) throw new RemoteFailure('not_found', `there is no facility ${facilityId}`);
    return facility;
  }

  /** Throws RemoteFailure `nothing_bound`, `invalid_argument`. */
  #newCheck(facility: Facility, include: readonly string[] | null, actor: string): CommissioningCheck {
    const { configuration, clock } = this.#options;
    const items = newItems(facility, { measured: this.#measured(), outputs: configuration.list('output'), include });
    return {
      check_id: randomUUID(),
      facility_uuid: facility.unique_id,
      facility_name: facility.name,
      status: 'running',
      phase: 'sensors',
      reason: null,
      progress: { done: 0, total: items.length },
      started_at: new Date(clock.now()).toISOString(),
      ended_at: null,
      started_by: actor,
      summary: summarise(items),
      items,
    };
  }

  /** Everything that a sensor can be bound to. */
  #measured(): MeasuredDevice[] {
    return this.#options.measured.list().filter(({ isTold }) => isTold);
  }

  /** Throws RemoteFailure `check_running`; `emergency_stopped`, under which it would end at once. */
  #refuseNow(facilityId: string): void {
    if (this.#options.isStopped()) throw new RemoteFailure('emergency_stopped', 'everything is stopped');
    const other = this.#running().find(({ check }) => check.facility_uuid === facilityId);
    if (other !== undefined) throw new RemoteFailure('check_running', `check ${other.check.check_id} runs already`);
  }

  #houseOf(facility: Facility) {
    const isActive = ({ is_activated }: { is_activated: boolean }): boolean => is_activated;
    const inputs = this.#options.configuration.list('input').filter(isActive);
    return { facility, measured: this.#measured().filter(isActive), inputs };
  }

  #newRun(
    kept: Kept,
    house: Pick<ConstructorParameters<typeof CheckRun>[0], 'facility' | 'measured' | 'inputs' | 'isRetest'>,
  ): CheckRun {
    const { outputs, live, clock, judge, log } = this.#options;
    const { check } = kept;
    return new CheckRun({
      check,
      ...house,
      outputs,
      live,
      clock,
      judge,
      log,
      isStanding: () => this.#isStanding(check),
      keep: (underTest) => {
        kept.underTest = underTest;
        return this.#keep(kept);
      },
      changed: (item) => this.#tell(check, item),
      tested: () => void this.#tested(kept),
      stopped: (cause) => void this.#end(kept, 'abort', cause),
    });
  }

  async #tested(kept: Kept): Promise<void> {
    kept.run = undefined;
    this.#turn(kept.check, 'tested');
    await this.#keep(kept);
    this.#tell(kept.check, null);
  }

  async #end(kept: Kept, event: CheckEvent, cause: Finding): Promise<void> {
    const { check, run } = kept;
    if (check.status === 'running' && isRetested(check)) return this.#giveUp(kept);
    if (nextStatus(check.status, event) === undefined) return;
    this.#turn(check, event);
    check.cause = cause;
    check.reason = messageOf([cause]);
    kept.run = undefined;
    await run?.end();
    for (const item of check.items) if (item.result === 'pending' || item.result === 'running') item.result = 'skipped';
    check.summary = summarise(check.items);
    await this.#keep(kept);
    this.#tell(check, null);
  }

  /** A retest that ends early leaves the check as it was. */
  async #giveUp(kept: Kept): Promise<void> {
    const { check, run } = kept;
    kept.run = undefined;
    await run?.end();
    giveUp(check);
    check.progress.done = check.progress.total;
    this.#turn(check, 'given_up');
    check.summary = summarise(check.items);
    await this.#keep(kept);
    this.#tell(check, null);
  }

  async #endAfterRestart(kept: Kept): Promise<void> {
    const { outputs, log } = this.#options;
    const { underTest } = kept;
    const back = underTest.map(async (under) => bringBackAfterStart(outputs, under));
    for (const result of await Promise.allSettled(back)) {
      if (result.status === 'rejected')
        log(`after the restart an output was not brought back: ${String(result.reason)}`);
    }
    kept.underTest = [];
    await this.#end(kept, 'abort', { code: 'daemon_restarted' });
  }

  #turn(check: CommissioningCheck, event: CheckEvent): void {
    const status = nextStatus(check.status, event);
    if (status === undefined || status === check.status) return;
    check.status = status;
    if (status !== 'running') delete check.expected_end_at;
    check.phase = phaseOf[status];
    check.ended_at = check.phase === 'ended' ? new Date(this.#options.clock.now()).toISOString() : null;
  }

  /** Control goes on when the disk fails; false when it was not written. */
  async #keep({ check, underTest }: Kept): Promise<boolean> {
    const { store, log } = this.#options;
    try {
      await store.saveCheck({ check, under_test: underTest });
      return true;
    } catch (error) {
      log(`commissioning check ${check.check_id} was not kept: ${String(error)}`);
      return false;
    }
  }

  #tell({ items: _, ...overview }: CommissioningCheck, item: CheckItem | null): void {
    const { device_id, channel, role, name, result, message } = item ?? {};
    const shown = item === null ? null : { device_id, channel, role, name, result, message };
    this.#options.events.push(structuredClone({ kind: 'commissioning', ...overview, item: shown as CheckItem | null }));
  }

  #kept(checkId: string): Kept {
    const kept = this.#checks.get(checkId);
    if (kept === undefined || !this.#isStanding(kept.check))
      throw new RemoteFailure('not_found', `there is no check ${checkId}`);
    return kept;
  }

  #isStanding({ facility_uuid }: CommissioningCheck): boolean {
    return this.#options.configuration.facilityStanding(facility_uuid) === 'living';
  }

  #running(): Kept[] {
    return [...this.#checks.values()].filter(({ check }) => check.status === 'running');
  }
}

import { isoOf } from '../../contract/time.ts';
import type { Now } from '../../auth/now.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import { conditionOf, type Alarm, type AlarmEntry } from '../../contract/alarm.ts';
import { severities, type Severity } from '../../contract/facility-live.ts';
import { messageOf as reasonOf } from '../../contract/message-of.ts';
import type { AlarmRepository } from '../../db/repositories/alarm.ts';
import type {
  NotificationRepository,
  Outgoing,
  OutgoingRow,
  StoredTarget,
} from '../../db/repositories/notification.ts';
import type { Transact } from '../../db/transaction.ts';
import { LastingFault } from '../live/lasting-fault.ts';
import type { Deliver } from './delivery.ts';
import { isQuiet } from './quiet.ts';
import { Receipts } from './receipts.ts';
import { TargetCourse } from './target-course.ts';
import { messageOf } from './text.ts';
import type { NotificationTargetService } from './target.ts';

interface SenderOptions {
  rows: NotificationRepository;
  targets: Pick<NotificationTargetService, 'siteOf'>;
  journal: Pick<AlarmRepository, 'after' | 'lastOrdinal' | 'wasHeard'>;
  /** All present alarms, including the loss of the daemon. */
  alarms: () => readonly Alarm[];
  secrets: Pick<SecretBox, 'open'>;
  deliver: Deliver;
  transact: Transact;
  clock: Now;
  /** The trusted time, epoch ms, by which old records are deleted. */
  trusted: Now;
  /** Monotonic ms for all waits: setting the clock must not silence a target. */
  elapsed?: () => number;
  /** Maximum time for one delivery; default a minute. */
  limitMs?: number;
  log: { warn(message: string): void };
}

/** What was put into the outbox; remembered once that is on disk. */
interface Told {
  isAbsence: boolean;
  /** When each present alarm was last told, elapsed ms by its id, for each target. */
  alarmsMs: Map<string, Map<string, number>>;
}

const lookEveryMs = 2_000;
const minuteMs = 60_000;
const mostAtOnce = 500; // alarms in a message
const mostRead = 1_000; // lines of the journal at a look
const keepMs = 3 * 24 * 60 * minuteMs;
const firstRetryMs = 10_000;
const longestRetryMs = 10 * minuteMs;
/** A daemon away for no longer than this is restarting. */
const absenceMs = 30_000;

/**
 * Sends alarms to the targets. It follows the daemon's journal: its position there and the waiting messages are on
 * disk, so that neither a restart nor an unreachable target loses one; a message that was under way when the process
 * died is sent again.
 */
export class NotificationSender {
  readonly #options: Required<SenderOptions>;
  readonly #courses = new Map<string, TargetCourse>();
  readonly #receipts: Receipts;
  readonly #fault: LastingFault;
  #told: Told = { isAbsence: false, alarmsMs: new Map() };
  /** Since when the daemon is away, elapsed ms. */
  #absentSinceMs: number | undefined;
  readonly #underWay = new Set<Promise<void>>();
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SenderOptions) {
    this.#options = { elapsed: () => performance.now(), limitMs: minuteMs, ...options };
    this.#receipts = new Receipts(options);
    this.#fault = new LastingFault(options.log);
  }

  /** Starts to look, every two seconds. */
  start(): void {
    this.#timer = setInterval(() => this.#lookOrWarn(), lookEveryMs);
  }

  #lookOrWarn(): void {
    try {
      this.look();
      this.#fault.over();
    } catch (error) {
      this.#fault.say(`alarms could not be looked at for those who are to be told: ${reasonOf(error)}`);
    }
  }

  /** Takes new lines from the journal and starts to send what is due. Does not wait for the deliveries. */
  look(): void {
    const { rows, trusted } = this.#options;
    const targets = rows.targets().filter(({ settings }) => settings.is_enabled);
    const told = copyOf(this.#told); // a transaction that fails must not leave anything as told
    this.#receipts.storedWith(() => {
      this.#collect(targets, told);
      this.#noticeAbsence(targets, told);
      this.#repeat(targets, told);
      rows.prune(isoOf(trusted() - keepMs));
    });
    this.#told = told;
    for (const target of targets) this.#begin(target);
  }

  /** Does not wait for a delivery under way: without its receipt it is sent again after the next start. */
  stop(): void {
    clearInterval(this.#timer);
    this.#isStopped = true;
  }

  /** Messages sent to a target in the last minute. */
  sent(targetId: string): number {
    return this.#courses.get(targetId)?.sent() ?? 0;
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #collect(targets: readonly StoredTarget[], told: Told): void {
    const { rows, journal } = this.#options;
    const newest = journal.lastOrdinal();
    const from = rows.progress();
    // What happened before the first target existed, or in another journal, is not news.
    if (from === undefined || from > newest) return rows.saveProgress(newest);
    const entries = journal.after(from, mostRead);
    for (const entry of entries) {
      const reason = newsOf(entry, journal);
      if (reason !== null)
        this.#add(targets, { reason, at: entry.at, severity: entry.severity, facts: conditionOf(entry) });
      if (reason !== null) this.#remember(told, entry.alarm_id, reason);
    }
    const last = entries.at(-1);
    if (last !== undefined) rows.saveProgress(last.ordinal);
  }

  /** The one alarm that the daemon cannot record. */
  #noticeAbsence(targets: readonly StoredTarget[], told: Told): void {
    const { alarms, elapsed } = this.#options;
    const down = alarms().find(({ code }) => code === 'daemon_down');
    if (down === undefined) {
      told.isAbsence = false;
      this.#absentSinceMs = undefined;
      return;
    }
    this.#absentSinceMs ??= elapsed();
    if (told.isAbsence || elapsed() - this.#absentSinceMs <= absenceMs) return;
    this.#add(targets, { reason: 'came', at: down.raised_at, severity: down.severity, facts: conditionOf(down) });
    told.isAbsence = true;
  }

  /** Sends an alarm again that has not been acknowledged in time. */
  #repeat(targets: readonly StoredTarget[], { alarmsMs }: Told): void {
    const { alarms, clock, elapsed } = this.#options;
    const waiting = alarms().filter(({ state }) => state === 'unacknowledged');
    for (const target of targets) {
      const { repeat_min, unique_id } = target.settings;
      if (repeat_min === null) continue;
      const toldMs = alarmsMs.get(unique_id) ?? new Map<string, number>();
      alarmsMs.set(unique_id, toldMs);
      for (const alarm of waiting) {
        const told = toldMs.get(alarm.alarm_id) ?? elapsed();
        const isDue = elapsed() - told >= repeat_min * minuteMs;
        toldMs.set(alarm.alarm_id, isDue ? elapsed() : told);
        if (isDue)
          this.#add([target], {
            reason: 'still',
            at: isoOf(clock()),
            severity: alarm.severity,
            facts: conditionOf(alarm),
          });
      }
    }
  }

  #remember({ alarmsMs }: Told, alarmId: string, reason: Outgoing['reason']): void {
    for (const toldMs of alarmsMs.values()) {
      if (reason === 'over') toldMs.delete(alarmId);
      else toldMs.set(alarmId, this.#options.elapsed());
    }
  }

  #add(targets: readonly StoredTarget[], outgoing: Omit<Outgoing, 'target_id'>): void {
    for (const { settings } of targets) {
      const isWanted =
        rank(outgoing.severity) >= rank(settings.min_severity) && (outgoing.reason !== 'over' || settings.tells_end);
      if (isWanted) this.#options.rows.add({ ...outgoing, target_id: settings.unique_id });
    }
  }

  #begin(target: StoredTarget): void {
    const { clock, rows } = this.#options;
    const { settings } = target;
    if (!this.#courseOf(target).isFree(settings.most_per_minute)) return;
    const { time_zone } = this.#options.targets.siteOf(target);
    const isNight = isQuiet(settings.quiet_hours, { nowMs: clock(), time_zone });
    const waiting = rows.waiting(settings.unique_id, mostAtOnce);
    const due = isNight ? waiting.filter(({ severity }) => severity === 'emergency') : waiting;
    if (due.length === 0) return;
    const sending = this.#send(target, due).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  async #send(target: StoredTarget, due: readonly OutgoingRow[]): Promise<void> {
    const { rows, deliver, secrets, targets, clock, log } = this.#options;
    const { settings, sealed_secret } = target;
    const at = isoOf(clock());
    const answer = await this.#courseOf(target).run(async () => {
      const secret = sealed_secret === null ? null : secrets.open(sealed_secret);
      return deliver({ ...settings, secret, message: messageOf(due, targets.siteOf(target)), outgoing: due, at });
    });
    const result = { at, ...answer };
    if (!result.is_delivered) log.warn(`alarms could not be sent to "${settings.name}": ${result.message}`);
    if (this.#isStopped) return;
    this.#receipts.add(() => {
      if (result.is_delivered) rows.removeSent(due.map(({ ordinal }) => ordinal));
      rows.saveResult(settings.unique_id, result);
    });
  }

  #courseOf({ settings: { unique_id } }: StoredTarget): TargetCourse {
    const { elapsed, limitMs } = this.#options;
    const course = this.#courses.get(unique_id) ?? new TargetCourse({ elapsed, limitMs, firstRetryMs, longestRetryMs });
    this.#courses.set(unique_id, course);
    return course;
  }
}

function copyOf({ isAbsence, alarmsMs }: Told): Told {
  return { isAbsence, alarmsMs: new Map([...alarmsMs].map(([target, toldMs]) => [target, new Map(toldMs)])) };
}

/**
 * Whether a line of the journal is news: an alarm that becomes audible, or the end of one that was, even if it has
 * become the consequence of another since.
 */
function newsOf(entry: AlarmEntry, journal: Pick<AlarmRepository, 'wasHeard'>): 'came' | 'over' | null {
  const { state, state_before, transition } = entry;
  if (state === 'unacknowledged' && state_before !== state) return 'came';
  if (transition !== 'clear') return null;
  const isOver = state === 'suppressed' ? journal.wasHeard(entry) : state !== state_before;
  return isOver ? 'over' : null;
}

function rank(severity: Severity): number {
  return severities.indexOf(severity);
}

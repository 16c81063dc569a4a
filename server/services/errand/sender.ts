import { isoOf } from '../../contract/time.ts';
import type { AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import { systemActor } from '../../auth/system-actor.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { ErrandRepository, WaitingErrand } from '../../db/repositories/errand.ts';
import type { NotificationRepository, StoredTarget } from '../../db/repositories/notification.ts';
import type { Transact } from '../../db/transaction.ts';
import type { ReasonReader } from '../../domain/control/reason-text.ts';
import type { AlarmControl } from '../live/daemon-port.ts';
import { LastingFault } from '../live/lasting-fault.ts';
import type { Deliver, Delivery } from '../notification/delivery.ts';
import { Receipts } from '../notification/receipts.ts';
import { TargetCourse } from '../notification/target-course.ts';
import { errandMessage, errandPayload } from './errand-text.ts';
import { lostCondition } from './lost-condition.ts';

interface SenderOptions {
  errands: ErrandRepository;
  notifications: Pick<NotificationRepository, 'target' | 'saveResult'>;
  secrets: Pick<SecretBox, 'open'>;
  deliver: Deliver;
  daemon: Pick<AlarmControl, 'alarm_report'>;
  audit: AuditSink;
  transact: Transact;
  clock: Now;
  site: () => ReasonReader & { site_name: string };
  /**
   * Alarms sent to a target in the last minute: they count towards the same limit and never wait for these messages.
   */
  alarmsSent: (targetId: string) => number;
  /** Monotonic ms. */
  elapsed?: () => number;
  /** Maximum time for one delivery; default a minute. */
  limitMs?: number;
  log: { warn(message: string): void };
}

const lookEveryMs = 1_000;
const minuteMs = 60_000;
const firstRetryMs = 5_000;
const longestRetryMs = 5 * minuteMs;

/**
 * Sends what controllers handed over, in order for each target; no target waits for another. A message that cannot be
 * sent before its end is given up, which an alarm and the audit report until that target takes a message again.
 */
export class ErrandSender {
  readonly #options: Required<SenderOptions>;
  readonly #courses = new Map<string, TargetCourse>();
  readonly #receipts: Receipts;
  readonly #fault: LastingFault;
  readonly #underWay = new Set<Promise<void>>();
  /** Targets with a raised alarm. */
  readonly #alarmed = new Set<string>();
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SenderOptions) {
    this.#options = { elapsed: () => performance.now(), limitMs: minuteMs, ...options };
    this.#receipts = new Receipts(options);
    this.#fault = new LastingFault(options.log);
  }

  start(): void {
    this.#timer = setInterval(() => this.#lookOrWarn(), lookEveryMs);
  }

  /** Does not wait for a delivery under way: without its receipt it is sent again after the next start. */
  stop(): void {
    clearInterval(this.#timer);
    this.#isStopped = true;
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Gives up expired messages and starts to send those due. Does not wait for the deliveries. */
  look(): void {
    const { errands, notifications, clock } = this.#options;
    const waiting = errands.targets();
    if (waiting.length === 0 && this.#receipts.areStored) return;
    const lost = this.#receipts.storedWith(() => {
      const given = errands.giveUp(isoOf(clock()));
      for (const one of given) this.#note('message.lose', one, { why: this.#whyLost(one) });
      return given;
    });
    for (const one of lost) this.#raise(one);
    for (const id of waiting) {
      const target = notifications.target(id);
      if (target !== undefined) this.#begin(target);
    }
  }

  #lookOrWarn(): void {
    try {
      this.look();
      this.#fault.over();
    } catch (error) {
      this.#fault.say(`messages of controllers could not be looked at: ${messageOf(error)}`);
    }
  }

  #begin(target: StoredTarget): void {
    const { alarmsSent, errands } = this.#options;
    const { unique_id, most_per_minute, is_enabled } = target.settings;
    const isFree = is_enabled && this.#courseOf(unique_id).isFree(most_per_minute - alarmsSent(unique_id));
    const next = isFree ? errands.next(unique_id) : undefined;
    if (next === undefined) return;
    const sending = this.#send(target, next).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  async #send(target: StoredTarget, waiting: WaitingErrand): Promise<void> {
    const { errands, notifications, deliver, clock, log } = this.#options;
    const { unique_id, name } = target.settings;
    const at = isoOf(clock());
    const answer = await this.#courseOf(unique_id).run(async () => deliver(this.#delivery(target, waiting)));
    if (this.#isStopped) return;
    const result = { at, ...answer };
    this.#receipts.add(() => {
      notifications.saveResult(unique_id, result);
      if (!result.is_delivered) return;
      errands.remove(waiting.ordinal);
      this.#note('message.deliver', waiting, { answer: result.message });
    });
    if (result.is_delivered) return this.#clear(unique_id);
    log.warn(`a message of a controller could not be sent to "${name}": ${result.message}`);
  }

  #delivery({ settings, sealed_secret }: StoredTarget, { at, errand }: WaitingErrand): Delivery {
    const { task } = errand;
    const said = task.kind === 'note' || task.kind === 'mqtt' ? null : task.text;
    const message = errandMessage(errand, said ?? errand.action, this.#options.site());
    const payload = (task.kind === 'mqtt' ? task.payload : null) ?? errandPayload(errand, { at, text: said });
    const topic = task.kind === 'mqtt' ? task.topic : null;
    const { options } = settings;
    return {
      options: options.kind === 'mqtt' && topic !== null ? { ...options, topic } : options,
      secret: sealed_secret === null ? null : this.#options.secrets.open(sealed_secret),
      message,
      payload,
      outgoing: [],
      at,
    };
  }

  #whyLost({ target_id, errand }: WaitingErrand): string {
    const isLate = errand.ends_at <= isoOf(this.#options.clock());
    if (!isLate) return 'too many wait for its target';
    return this.#options.notifications.target(target_id)?.last_result?.message ?? 'it could not be sent in time';
  }

  #note(kind: 'message.deliver' | 'message.lose', { target_id, errand }: WaitingErrand, how: object): void {
    const { cause, action, task } = errand;
    this.#options.audit.record({ kind, actor: systemActor, target: target_id, after: { cause, action, task, ...how } });
  }

  #raise(lost: WaitingErrand): void {
    const { notifications, log } = this.#options;
    const name = notifications.target(lost.target_id)?.settings.name ?? null;
    this.#alarmed.add(lost.target_id);
    this.#report(lost.target_id, [lostCondition(lost, { name, why: this.#whyLost(lost) })]);
    log.warn(`a message of "${lost.errand.cause.name}" to "${name ?? lost.target_id}" was given up`);
  }

  #clear(targetId: string): void {
    if (this.#alarmed.delete(targetId)) this.#report(targetId, []);
  }

  /** If the daemon cannot be reached, that is an alarm by itself. */
  #report(...[targetId, conditions]: Parameters<AlarmControl['alarm_report']>): void {
    this.#options.daemon.alarm_report(targetId, conditions).catch((error: unknown) => {
      this.#options.log.warn(`a lost message could not become an alarm: ${messageOf(error)}`);
    });
  }

  #courseOf(targetId: string): TargetCourse {
    const { elapsed, limitMs } = this.#options;
    const course = this.#courses.get(targetId) ?? new TargetCourse({ elapsed, limitMs, firstRetryMs, longestRetryMs });
    this.#courses.set(targetId, course);
    return course;
  }
}

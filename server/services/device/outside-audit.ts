import { isoOf } from '../../contract/time.ts';
import { setImmediate as turn } from 'node:timers/promises';
import type { AuditEntry, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { systemActor } from '../../auth/system-actor.ts';
import type { DaemonEvent } from '../../contract/daemon.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { HeardEvents, HeardEventsRepository } from '../../db/repositories/heard-events.ts';
import type { Transact } from '../../db/transaction.ts';
import { LastingFault } from '../live/lasting-fault.ts';
import type { LiveCache, LiveEvent } from '../live/live.ts';
import { AutomaticDeeds } from './automatic-deeds.ts';
import { outsideDeed } from './outside-command.ts';

interface OutsideAuditOptions {
  live: Pick<LiveCache, 'subscribe' | 'eventsAfter' | 'oldestCursor'>;
  audit: AuditSink;
  heard: HeardEventsRepository;
  transact: Transact;
  clock: Now;
  /** Further work for an event, done in the same transaction; undefined when there is none. */
  taskOf?: (event: DaemonEvent) => (() => void) | undefined;
  log: { warn(message: string): void };
}

/** Events in one transaction, which takes some 10 ms if all of them are recorded. */
const sliceLength = 200;
/** How often the position is stored when nothing happened. */
const notePeriodMs = 60_000;
const retryMs = 1_000;

/**
 * Records in the audit what programs did past the REST interface, what controllers did to outputs, and overrides that
 * ended by themselves: each once, in order, with its own time, including the time that the service was away, as far
 * back as the daemon keeps events. The position is stored in the same transaction. A gap that cannot be recalled
 * becomes a record of kind `audit.gap`.
 */
export class OutsideAudit {
  readonly #options: OutsideAuditOptions;
  readonly #automatic = new AutomaticDeeds();
  readonly #fault: LastingFault;
  #heard: HeardEvents | undefined;
  /** All events of the daemon have been processed. */
  #isUpToDate = false;
  #isReading = false;
  #unsubscribe: (() => void) | undefined;
  #noting: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: OutsideAuditOptions) {
    this.#options = options;
    this.#fault = new LastingFault(options.log);
  }

  /** Called before the live cache starts. */
  start(): void {
    const { live, heard } = this.#options;
    this.#heard = heard.get();
    this.#unsubscribe = live.subscribe((event) => this.#hear(event));
    this.#noting = setInterval(() => this.#note(false), notePeriodMs).unref();
  }

  /** Called after the live cache stopped, before the database is closed. */
  stop(): void {
    if (this.#unsubscribe === undefined) return;
    this.#unsubscribe();
    this.#unsubscribe = undefined;
    clearInterval(this.#noting);
    clearTimeout(this.#retry);
    this.#note(true);
  }

  #hear(event: LiveEvent): void {
    if (event.kind === 'daemon' && event.state === 'unreachable') return;
    const isNext = event.kind !== 'reset' && this.#isUpToDate && !this.#isReading;
    if (!isNext) return void this.#read();
    try {
      const work = this.#workOf(event);
      this.#write(work === undefined ? [] : [work], this.#upTo(event.id));
    } catch (error) {
      this.#wait(error);
    }
  }

  /** Processes the kept events in slices, so that other work gets its turn. What the disk refuses is read again. */
  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    clearTimeout(this.#retry);
    try {
      while (this.#readSlice() === sliceLength) await turn();
      this.#fault.over();
      this.#isUpToDate = this.#unsubscribe !== undefined;
    } catch (error) {
      this.#wait(error);
    } finally {
      this.#isReading = false;
    }
  }

  #wait(error: unknown): void {
    this.#isUpToDate = false;
    this.#automatic.forget();
    this.#fault.say(`deeds of programs wait for the audit: ${messageOf(error)}`);
    if (this.#unsubscribe !== undefined) this.#retry = setTimeout(() => void this.#read(), retryMs).unref();
  }

  /** The number of events. */
  #readSlice(): number {
    const { live } = this.#options;
    if (this.#unsubscribe === undefined) return 0;
    const heard = this.#heard;
    const next = heard === undefined ? null : live.eventsAfter(heard.event_id, sliceLength);
    const from = heard === undefined || next === null ? live.oldestCursor : heard.event_id;
    const events = next ?? live.eventsAfter(from, sliceLength) ?? [];
    const gap = heard !== undefined && next === null ? this.#gap(heard, events[0]) : undefined;
    const { audit } = this.#options;
    const works = events.map((one) => this.#workOf(one)).filter((work) => work !== undefined);
    if (gap !== undefined) works.unshift(() => audit.record(gap));
    const last = events.at(-1);
    const upTo = this.#upTo(last?.id ?? from);
    this.#write(works, last && events.length === sliceLength ? { ...upTo, heard_at: last.at } : upTo);
    return events.length;
  }

  /** What an event requires to be recorded or done; undefined when nothing. */
  #workOf(event: DaemonEvent): (() => void) | undefined {
    const { audit, taskOf } = this.#options;
    const entry = outsideDeed(event) ?? this.#automatic.entryOf(event);
    return entry === undefined ? taskOf?.(event) : () => audit.record(entry);
  }

  #write(works: readonly (() => void)[], upTo: HeardEvents): void {
    const { heard, transact } = this.#options;
    if (works.length > 0) {
      transact(() => {
        for (const work of works) work();
        heard.set(upTo);
      });
    }
    this.#heard = upTo;
  }

  /** The record of what may have been done unseen; undefined when the daemon was followed up to its end. */
  #gap({ event_id, heard_at, is_closed }: HeardEvents, first: DaemonEvent | undefined): AuditEntry | undefined {
    const isSameStart = bootOf(event_id) === bootOf(this.#options.live.oldestCursor);
    if (!isSameStart && (this.#isUpToDate || is_closed)) return undefined;
    const what = isSameStart ? 'the daemon does not keep it that long' : 'the daemon ended before it could be asked';
    const to = first?.at ?? isoOf(this.#options.clock());
    return { kind: 'audit.gap', actor: systemActor, after: { what, from: heard_at, to } };
  }

  /** Stores the position, so that a start knows since when something may be missing. */
  #note(is_closed: boolean): void {
    if (!this.#isUpToDate || this.#heard === undefined) return;
    const { heard, transact } = this.#options;
    try {
      const upTo = { ...this.#upTo(this.#heard.event_id), is_closed };
      transact(() => heard.set(upTo));
    } catch (error) {
      this.#options.log.warn(`how far the audit of programs came was not noted: ${messageOf(error)}`);
    }
  }

  #upTo(event_id: string): HeardEvents {
    return { event_id, heard_at: isoOf(this.#options.clock()), is_closed: false };
  }
}

function bootOf(eventId: string): string {
  return eventId.split(':', 1)[0] ?? '';
}

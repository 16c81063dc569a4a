import type { DaemonEvent } from '../../contract/daemon.ts';
import { defaultLogLimits, EventLog, type LogLimits } from '../../domain/events/event-log.ts';

const idForm = /^([^:]{1,64}):(\d{1,15})$/;

/** The newest events, kept for readers that were away. Ids are `BOOT:N`, N rising within a boot. */
export class EventRing {
  readonly #limits: LogLimits;
  readonly #log: EventLog;

  constructor(limits: Partial<LogLimits> = {}) {
    this.#limits = { ...defaultLogLimits, ...limits };
    this.#log = new EventLog(this.#limits);
  }

  /** Forgets everything, and keeps what comes after `cursor`. */
  restart(cursor: string): void {
    const id = parse(cursor);
    this.#log.restart(id?.boot ?? '', id?.number ?? 0);
  }

  /** The cursor as far before this one as events are kept. */
  reach(cursor: string): string {
    const id = parse(cursor);
    return id === null ? cursor : `${id.boot}:${Math.max(0, id.number - this.#limits.count)}`;
  }

  push(event: DaemonEvent): void {
    const id = parse(event.id);
    if (id === null || id.boot !== this.#log.boot || id.number <= this.#log.last) return;
    this.#log.push(id.number, event, Date.parse(event.at));
  }

  /** Whether the event with this id, and so all before it, has been pushed. */
  covers(cursor: string): boolean {
    const id = parse(cursor);
    return id !== null && id.boot === this.#log.boot && id.number <= this.#log.last;
  }

  /** The cursor from which all events are kept. */
  get oldest(): string {
    return `${this.#log.boot}:${this.#log.before}`;
  }

  /**
   * At most `most` events after an id; null when it is too old or of another start, so that the reader must read
   * everything again.
   */
  after(lastId: string, most?: number): DaemonEvent[] | null {
    const id = parse(lastId);
    return id === null || id.boot !== this.#log.boot ? null : this.#log.after(id.number, most);
  }
}

function parse(id: string): { boot: string; number: number } | null {
  const [, boot, number] = idForm.exec(id) ?? [];
  return boot === undefined || number === undefined ? null : { boot, number: Number(number) };
}

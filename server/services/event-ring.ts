import type { DaemonEvent } from '../contract/daemon.ts';

interface RingLimits {
  /** Events kept. */
  count: number;
  /** How long they are kept, ms. */
  ageMs: number;
}

const defaults: RingLimits = { count: 20_000, ageMs: 3_600_000 };
const idForm = /^([^:]{1,64}):(\d{1,15})$/;

/** The newest events, to be given again to a reader that was away. Ids are `BOOT:N`, N rising within a boot. */
export class EventRing {
  readonly #limits: RingLimits;
  #boot = '';
  /** N of the last event before the first that is kept. */
  #before = 0;
  #last = 0;
  #events: { number: number; atMs: number; event: DaemonEvent }[] = [];

  constructor(limits: Partial<RingLimits> = {}) {
    this.#limits = { ...defaults, ...limits };
  }

  /** Forgets everything; what comes after `cursor` is kept from now on. */
  restart(cursor: string): void {
    const id = parse(cursor);
    this.#boot = id?.boot ?? '';
    this.#before = this.#last = id?.number ?? 0;
    this.#events = [];
  }

  /** The cursor as far before another as this keeps events. */
  reach(cursor: string): string {
    const id = parse(cursor);
    return id === null ? cursor : `${id.boot}:${Math.max(0, id.number - this.#limits.count)}`;
  }

  push(event: DaemonEvent): void {
    const id = parse(event.id);
    if (id === null || id.boot !== this.#boot || id.number <= this.#last) return;
    this.#last = id.number;
    this.#events.push({ number: id.number, atMs: Date.parse(event.at), event });
    this.#trim(Date.parse(event.at));
  }

  /** Whether the event of an id, and so all before it, has been pushed. */
  covers(cursor: string): boolean {
    const id = parse(cursor);
    return id !== null && id.boot === this.#boot && id.number <= this.#last;
  }

  /** Those after an id; null when it is too old or of another start, so that the reader must read everything again. */
  after(lastId: string): DaemonEvent[] | null {
    const id = parse(lastId);
    if (id === null || id.boot !== this.#boot || id.number < this.#before || id.number > this.#last) return null;
    const first = this.#events.findLastIndex((kept) => kept.number <= id.number) + 1;
    return this.#events.slice(first).map((kept) => kept.event);
  }

  /** Drops a tenth at once where there are too many, so that a full ring does not move its array for every event. */
  #trim(nowMs: number): void {
    const slack = Math.ceil(this.#limits.count / 10);
    const surplus = this.#events.length > this.#limits.count + slack ? slack : 0;
    const fresh = this.#events.findIndex((kept) => kept.atMs >= nowMs - this.#limits.ageMs);
    const drop = Math.max(surplus, fresh);
    if (drop <= 0) return;
    this.#before = this.#events[drop - 1]?.number ?? this.#before;
    this.#events = this.#events.slice(drop);
  }
}

function parse(id: string): { boot: string; number: number } | null {
  const [, boot, number] = idForm.exec(id) ?? [];
  return boot === undefined || number === undefined ? null : { boot, number: Number(number) };
}

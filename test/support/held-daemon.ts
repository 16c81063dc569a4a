import { join } from 'node:path';
import FlatQueue from 'flatqueue';
import { SecretBox } from '../../server/auth/secret-box.ts';
import type { Clock } from '../../server/daemon/clock.ts';
import { KeptConfiguration } from '../../server/daemon/configuration/kept-configuration.ts';
import { Daemon } from '../../server/daemon/daemon.ts';
import { ModbusBus } from '../../server/daemon/drivers/modbus/bus.ts';
import '../../server/daemon/drivers/modbus/index.ts'; // imported before time starts
import { openControlStore } from '../../server/daemon/store/control-store.ts';
import { KeptControlStore } from '../../server/daemon/store/kept-control-store.ts';
import { LastKnown } from '../../server/daemon/store/last-known.ts';
import { StaleMark } from '../../server/daemon/store/stale-mark.ts';
import { openMeasurementReader } from '../../server/measurement/sqlite/reader.ts';
import { openMeasurementWriter } from '../../server/measurement/sqlite/writer.ts';
import type { Death, FromHeld, ToHeld } from './held-daemon-words.ts';

/**
 * Entry of a daemon whose clock stands still while it works: it advances to the next due moment only once disk and
 * devices have answered, and its parent learns the time before a device is asked. A slow machine takes longer, with the
 * same results. Arguments: data directory, epoch ms at which it begins, token of the service.
 */
const [dataDirectory = '', begins = '0', server_token = ''] = process.argv.slice(2);
/** Turns of the event loop without work under way, after which it is idle. */
const idleTurns = 4;
/** If no command comes within this time, it dies in its current work, ms. */
const longestWaitMs = 600_000;

let underWay = 0;
let death: Death | undefined;
let commands = 0;
let marks = 0;

/** A step of its work: it may die between two of these. */
function mark(): void {
  if (death === undefined || clock.now() < death.from_ms) return;
  const isWaiting = death.at_command && commands === 0;
  if (isWaiting && clock.now() < death.from_ms + longestWaitMs) return;
  marks += 1;
  if (marks <= death.marks) return;
  say({ kind: 'at', now_ms: clock.now() }); // is written to its pipe at once
  process.kill(process.pid, 'SIGKILL');
}

async function counted<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  underWay += 1;
  mark();
  try {
    return await ask();
  } finally {
    underWay -= 1;
    mark();
  }
}

/** The same, counting its promises as under way. */
function watched<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const answer: unknown = member.apply(target, args);
        return answer instanceof Promise ? counted(() => answer as Promise<unknown>) : answer;
      };
    },
  });
}

// eslint-disable-next-line typescript/unbound-method -- called with its bus
const { request } = ModbusBus.prototype;
ModbusBus.prototype.request = function (asked) {
  if (asked.urgency === 'command' && death !== undefined && clock.now() >= death.from_ms) commands += 1;
  return counted(async () => {
    await noted();
    return request.call(this, asked);
  }) as ReturnType<typeof request<never>>;
};

class HeldClock implements Clock {
  #elapsed = 0;
  readonly #beginsMs = Number(begins);
  readonly #moments = new FlatQueue<number>();
  readonly #waiting = new Map<number, Set<() => void>>();

  now(): number {
    return this.#beginsMs + this.#elapsed;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(delayMs: number, run: () => void): { cancel: () => void } {
    const at = Math.ceil(this.#elapsed + Math.max(0, delayMs));
    const due = this.#waiting.get(at) ?? new Set();
    if (!this.#waiting.has(at)) this.#moments.push(at, at);
    const own = (): void => run();
    this.#waiting.set(at, due.add(own));
    return { cancel: () => void due.delete(own) };
  }

  async passTo(endMs: number): Promise<void> {
    await idle();
    for (let at = this.#moments.peek(); at !== undefined && this.#beginsMs + at <= endMs; at = this.#moments.peek()) {
      this.#moments.pop();
      const due = this.#waiting.get(at) ?? new Set();
      this.#waiting.delete(at);
      if (due.size === 0) continue;
      this.#elapsed = Math.max(this.#elapsed, at);
      for (const run of due) {
        due.delete(run);
        run();
        await idle();
      }
    }
    if (Number.isFinite(endMs)) this.#elapsed = endMs - this.#beginsMs;
  }
}

const clock = new HeldClock();

async function idle(): Promise<void> {
  for (let quiet = 0; quiet < idleTurns; quiet += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (underWay > 0) quiet = -1;
  }
}

const waiting: (() => void)[] = [];
let notedMs = NaN;

/** Resolves when the parent knows the time. */
async function noted(): Promise<void> {
  const now_ms = clock.now();
  if (now_ms === notedMs) return;
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    say({ kind: 'at', now_ms });
  });
  notedMs = now_ms;
}

function say(word: FromHeld): void {
  process.send?.(word);
}

process.on('disconnect', () => process.exit(1)); // the test is gone
process.on('message', (told: ToHeld) => {
  if (told.kind === 'noted') return waiting.shift()?.();
  death = told.death;
  void clock
    .passTo(told.until_ms ?? Infinity)
    .then(noted)
    .then(() => say({ kind: 'there' }));
});

const log = (line: string): void => void process.stderr.write(`${line}\n`);
const tell = (): void => undefined;
const lastKnown = new LastKnown(join(dataDirectory, 'last-known.json'), log);
const file = (name: string): string => join(dataDirectory, name);
const daemon = new Daemon({
  host: '127.0.0.1',
  port: 0,
  version: '0.0.0',
  linger_s: null,
  crash_loop: null,
  safe_s: 0,
  stop: null,
  clock,
  dataDirectory,
  lastKnown,
  log,
  access: { server_token, loopback_secret: undefined },
  secrets: new SecretBox(file('secret.key')),
  configuration: new KeptConfiguration({ file: file('orangery.db'), lastKnown, tell }),
  store: new KeptControlStore({
    clock,
    lastKnown,
    tell,
    mark: new StaleMark(file('control.stale')),
    store: watched(openControlStore(file('control.db'))),
  }),
  writer: watched(openMeasurementWriter(file('measurements.db'))),
  reader: watched(openMeasurementReader(file('measurements.db'))),
  space: async () => ({ database_bytes: 0, free_bytes: 1e12 }),
  asked: () => undefined,
  terminate: () => undefined,
});
await daemon.start();
say({ kind: 'ready', port: daemon.port ?? 0 });

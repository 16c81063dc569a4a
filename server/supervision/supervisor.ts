import { setTimeout as pause } from 'node:timers/promises';
import { daemonObjectId, type DaemonStatus, type DaemonView } from '../contract/daemon.ts';
import { deviceSays } from '../contract/device-words.ts';
import { messageOf } from '../contract/message-of.ts';
import { AdoptedDaemon, StartedDaemon, stopInOrder, type Charge, type ChargeEvents } from './charge.ts';
import { endHolder, findDaemon, lockHolder, waitForEnd } from './discovery.ts';
import { driveSafe } from './last-resort.ts';
import type { DaemonLaunch, DaemonLauncher, DaemonProcess, StopAsked } from './launcher.ts';
import { DaemonControl } from '../orangery_client.ts';

const heartbeatMs = 1_000;
/** A start may wait for the port, then for devices. */
const readyMs = 15_000;
const portPauseMs = 200;
/** Pause between two starts: outputs wait for the next one to be driven safe. */
const firstPauseMs = 100;
const longestPauseMs = 1_000;
/** How long a daemon that follows others which fell only keeps its outputs safe, growing each time. */
const firstSafe_s = 0.1;
const longestSafe_s = 30;
/** How long devices that do not answer are retried when the service ends, s. */
const lastPatience_s = 5;
/** Faults without a stable time between them that make a crash loop. */
const loopFaults = 3;

/** Why the service cannot have its daemon. */
class DaemonStartError extends Error {
  override readonly name = 'DaemonStartError';
  readonly code: 'daemon_port_taken' | 'daemon_failed';

  constructor(code: DaemonStartError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export interface SupervisorTimes {
  /** Silence after which a daemon counts as hung. */
  hungMs: number;
  /** How long a start waits for a port that another program has. */
  portWaitMs: number;
  /** After this long without a fault, pauses start from the shortest again. */
  stableMs: number;
}

const defaultTimes: SupervisorTimes = { hungMs: 5_000, portWaitMs: 5_000, stableMs: 60_000 };

export interface SupervisorOptions extends Omit<DaemonLaunch, 'crash_loop' | 'safe_s' | 'stop' | 'until_safe_s'> {
  launcher: DaemonLauncher;
  /** Proves to the daemon that this program is the service. */
  token: string;
  /** Of this program: a daemon of another version is replaced. */
  version: string;
  log: { warn(message: string): void };
  /** Called with the last reason when the daemon keeps crashing, and with null once it has run well since. */
  crashLoop?: (reason: string | null) => void;
  times?: Partial<SupervisorTimes>;
  /** Asked at each start of a daemon: a stop that is owed holds before anything is driven. */
  owedStop?: () => StopAsked | undefined;
}

/**
 * starting: before the first answer; restarting: it ended or hung and the next one is on its way; stopped: it ended in
 * order.
 */
type SupervisorState = 'starting' | 'up' | 'restarting' | 'stopped';

export interface Supervision extends Pick<DaemonView, 'restarts' | 'last_restart' | 'crash_loop' | 'is_stopped'> {
  state: SupervisorState;
  /** The daemon was already running and was adopted. */
  adopted: boolean;
}

/** Keeps the daemon of a data directory running: adopts or starts it, notices when it dies or hangs, restarts it. */
export class DaemonSupervisor {
  readonly #options: SupervisorOptions;
  readonly #times: SupervisorTimes;
  readonly #listeners = new Set<(supervision: Supervision) => void>();
  #port: number;
  #daemon: Charge | undefined;
  #watch: NodeJS.Timeout | undefined;
  #lastSign = 0;
  #lastCheck = performance.now();
  #isHung = false;
  #upSince = 0;
  #faults = 0;
  #isStopping = false;
  #supervision: Supervision = {
    state: 'starting',
    restarts: 0,
    last_restart: null,
    crash_loop: false,
    is_stopped: false,
    adopted: false,
  };

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#times = { ...defaultTimes, ...options.times };
    this.#port = options.port;
  }

  /** Address for DaemonControl, known once `start` has resolved. */
  get uri(): string {
    return `PYRO:${daemonObjectId}@127.0.0.1:${this.#port}`;
  }

  get supervision(): Supervision {
    return this.#supervision;
  }

  /** One more connection of the service to its daemon; it opens at its first call. */
  connect(pyro_timeout?: number): DaemonControl {
    return this.#connectAs(this.#options.token, pyro_timeout);
  }

  #connectAs(pyro_handshake: string, pyro_timeout?: number): DaemonControl {
    return new DaemonControl({
      pyro_uri: this.uri,
      pyro_handshake,
      ...(pyro_timeout !== undefined && { pyro_timeout }),
    });
  }

  /** Calls the listener at every change; returns an unsubscribe function. */
  subscribe(listener: (supervision: Supervision) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the daemon answers. Throws DaemonStartError when its port is taken or it cannot start. */
  async start(): Promise<void> {
    await this.#takeOrLaunch();
    this.#watch = setInterval(() => this.#check(), heartbeatMs);
  }

  /** Starts the daemon again after it was told to stop; false when it is not stopped. Throws as `start`. */
  async startAgain(): Promise<boolean> {
    if (!this.#supervision.is_stopped || this.#isStopping) return false;
    this.#change({ state: 'restarting', is_stopped: false });
    try {
      await this.#takeOrLaunch();
      return true;
    } catch (error) {
      this.#change({ state: 'stopped', is_stopped: true });
      throw error;
    }
  }

  async #takeOrLaunch(): Promise<void> {
    const running = await this.#settle();
    if (running === null) await this.#launch();
    else this.#adopt(running);
  }

  /**
   * Stops the daemon in order, adopted or not; kills it if it does not comply. Unless it brought every output to its
   * state, another one drives them safe.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#watch);
    const isSafe = (await this.#daemon?.stop()) ?? this.#supervision.state !== 'restarting';
    this.#daemon = undefined;
    if (!isSafe && !(await this.#driveSafe(lastPatience_s))) this.#options.log.warn('not every output is safe');
    this.#change({ state: 'stopped' });
    this.#listeners.clear();
  }

  /**
   * Waits until the port is free or ours, and returns the status of our daemon there, else null; a daemon of ours of
   * another version or token is stopped first.
   */
  async #settle(): Promise<DaemonStatus | null> {
    if (this.#port === 0) return null;
    const { dataDirectory, token, version, log } = this.#options;
    const giveUpAtMs = performance.now() + this.#times.portWaitMs;
    let meanwhile: Promise<boolean> | undefined; // outputs are not safe the later because a port is taken
    for (;;) {
      const found = await findDaemon({ uri: this.uri, token, dataDirectory });
      const isSame = found.kind === 'ours' && found.status.version === version && found.status.is_service !== false;
      if (found.kind === 'foreign') meanwhile ??= this.#driveSafe(this.#times.portWaitMs / 1000);
      else await meanwhile;
      if (found.kind === 'nothing') return null;
      if (isSame) return found.status;
      if (found.kind === 'ours') {
        const why = found.status.version === version ? 'knows another token' : `is of version ${found.status.version}`;
        log.warn(`the daemon ${why}; it is replaced`);
        await stopInOrder({ control: this.#connectAs(found.handshake), dataDirectory, pid: found.status.pid });
      } else if (performance.now() >= giveUpAtMs) {
        await meanwhile;
        if (found.kind === 'silent' && (await this.#endHung())) return null;
        throw new DaemonStartError('daemon_port_taken', `daemon port ${this.#port} is taken by another program`);
      } else await pause(portPauseMs);
    }
  }

  #driveSafe(patience_s: number): Promise<boolean> {
    const { dataDirectory, launcher } = this.#options;
    return driveSafe({ dataDirectory, launcher, port: 0, patience_s });
  }

  /** Kills the daemon of this data directory, which has had its time to answer; false when there is none. */
  async #endHung(): Promise<boolean> {
    const { dataDirectory, log } = this.#options;
    const pid = lockHolder(dataDirectory);
    if (pid == null) return false;
    log.warn('the daemon hung; it is started again');
    endHolder({ dataDirectory, pid });
    return waitForEnd({ dataDirectory, pid }, this.#times.portWaitMs);
  }

  #adopt({ pid }: DaemonStatus): void {
    const { dataDirectory } = this.#options;
    const control = this.connect(this.#times.hungMs / 1000);
    this.#daemon = new AdoptedDaemon({ control, dataDirectory, pid }, this.#heard());
    this.#isUp({ adopted: true });
  }

  /** `safe_s`: how long the daemon only keeps its outputs safe before it goes on. */
  async #launch(safe_s?: number): Promise<void> {
    const { launcher, dataDirectory, linger_s, daemonNetwork } = this.#options;
    const { crash_loop: isLoop, last_restart } = this.#supervision;
    const crash_loop = isLoop ? last_restart?.reason : undefined;
    const port = this.#port;
    const stop = this.#options.owedStop?.();
    const process = launcher.launch({ dataDirectory, port, linger_s, daemonNetwork, crash_loop, safe_s, stop });
    const ready = whenReady(process);
    const daemon = new StartedDaemon(process, this.#heard());
    this.#daemon = daemon;
    const late = setTimeout(() => daemon.kill(), readyMs + 1_000 * (safe_s ?? 0));
    try {
      this.#port = await ready;
    } finally {
      clearTimeout(late);
    }
    this.#isUp({ adopted: false });
  }

  /** The callbacks for the daemon that is about to be supervised. */
  #heard(): ChargeEvents {
    return { sign: () => this.#sign(), ended: (reason) => this.#ended(reason) };
  }

  #isUp(change: Pick<Supervision, 'adopted'>): void {
    this.#sign();
    this.#upSince = performance.now();
    this.#change({ state: 'up', ...change });
  }

  /** An end during the start is reported by the start. */
  #ended(reason: string | null): void {
    const wasHung = this.#isHung;
    const wasUp = this.#supervision.state === 'up';
    this.#isHung = false;
    this.#daemon = undefined;
    if (this.#isStopping || !wasUp) return;
    if (reason === null) this.#change({ state: 'stopped', is_stopped: true });
    else void this.#restart(wasHung ? deviceSays('daemon_hung') : reason);
  }

  async #restart(reason: string): Promise<void> {
    const { log } = this.#options;
    const { restarts } = this.#supervision;
    this.#forgetFaults();
    this.#change({
      state: 'restarting',
      restarts: restarts + 1,
      last_restart: { at: new Date().toISOString(), reason },
    });
    log.warn(`${reason}; it is started again`);
    let last = reason;
    while (!this.#isStopping) {
      const grown = 2 ** this.#faults;
      const safe_s = this.#faults === 0 ? undefined : Math.min(firstSafe_s * grown, longestSafe_s);
      this.#countFault(last);
      await pause(Math.min(firstPauseMs * grown, longestPauseMs), undefined, { ref: false });
      if (this.#isStopping) return;
      try {
        return await this.#launch(safe_s);
      } catch (error) {
        last = messageOf(error);
        log.warn(last);
      }
    }
  }

  #countFault(reason: string): void {
    this.#faults += 1;
    if (this.#faults < loopFaults || this.#supervision.crash_loop) return;
    this.#change({ crash_loop: true });
    this.#options.crashLoop?.(reason);
  }

  /** The daemon has ended after running well for a while: earlier faults no longer count. */
  #forgetFaults(): void {
    if (performance.now() - this.#upSince <= this.#times.stableMs) return;
    this.#faults = 0;
    if (!this.#supervision.crash_loop) return;
    this.#change({ crash_loop: false });
    this.#options.crashLoop?.(null);
  }

  /** Once a second. A gap in this process's own time says nothing about the daemon. */
  #check(): void {
    const nowMs = performance.now();
    const isLate = nowMs - this.#lastCheck > 2 * heartbeatMs;
    this.#lastCheck = nowMs;
    if (isLate) this.#sign();
    if (this.#supervision.state !== 'up') return;
    this.#forgetFaults();
    this.#daemon?.look();
    if (nowMs - this.#lastSign <= this.#times.hungMs) return;
    this.#isHung = true;
    this.#daemon?.kill();
  }

  #sign(): void {
    this.#lastSign = performance.now();
  }

  #change(change: Partial<Supervision>): void {
    this.#supervision = { ...this.#supervision, ...change };
    for (const listener of this.#listeners) listener(this.#supervision);
  }
}

/** The port on which a process serves, once it does. Rejects with DaemonStartError when it ends before. */
function whenReady(process: DaemonProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    process.onMessage((message) => {
      if (message.kind === 'ready') resolve(message.port);
    });
    process.onExit((code) => {
      const end = code === null ? 'a signal' : `code ${code}`;
      reject(new DaemonStartError('daemon_failed', `the daemon ended with ${end} before it was ready`));
    });
  });
}

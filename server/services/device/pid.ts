import type { Actor, AuditSink } from '../../auth/actor.ts';
import { pidLive, type Pid, type PidLive, type PidLiveChange } from '../../contract/pid.ts';
import type { PidAutotune, PidAutotuneStart } from '../../contract/pid-autotune.ts';
import { Refusal } from '../../contract/errors.ts';
import type { ControllerStore } from '../../db/repositories/controller-stores.ts';
import { commandFailure, type DaemonPort } from '../live/daemon-port.ts';
import { audited } from './audited.ts';
import type { LiveCache } from '../live/live.ts';

type PidMethod =
  | 'pid_hold'
  | 'pid_pause'
  | 'pid_resume'
  | 'pid_set'
  | 'pid_state'
  | 'pid_autotune_start'
  | 'pid_autotune_get'
  | 'pid_autotune_abort';

interface PidServiceOptions {
  kinds: { pid: ControllerStore<Pid> };
  live: Pick<LiveCache, 'control'>;
  daemon: Pick<DaemonPort, PidMethod>;
  audit: AuditSink;
}

export type PidCommand = 'hold' | 'pause' | 'resume';

/** The live state of PIDs, and commands to them. */
export class PidService {
  readonly #options: PidServiceOptions;

  constructor(options: PidServiceOptions) {
    this.#options = options;
  }

  list(): PidLive[] {
    return this.#options.kinds.pid.list().map((settings) => this.#liveOf(settings));
  }

  /** Throws `not_found`. */
  get(id: string): PidLive {
    return this.#liveOf(this.#settings(id));
  }

  /** Throws `not_found`, `not_active`, and the daemon's error. */
  async command(actor: Actor, id: string, word: PidCommand): Promise<PidLive> {
    const { daemon } = this.#options;
    return this.#tell(actor, id, { command: word }, async () => {
      await { hold: daemon.pid_hold, pause: daemon.pid_pause, resume: daemon.pid_resume }[word].call(daemon, id);
    });
  }

  /** Changes the running PID, not its settings. Throws as `command`. */
  async change(actor: Actor, id: string, change: PidLiveChange): Promise<PidLive> {
    return this.#tell(actor, id, change, async () => {
      for (const setting of ['kp', 'ki', 'kd', 'setpoint', 'integrator'] as const) {
        const value = change[setting];
        if (value !== undefined) await this.#options.daemon.pid_set(id, setting, value);
      }
    });
  }

  /** Starts a trial that proposes gains. Throws as `command`. */
  async beginTrial(actor: Actor, id: string, asked: PidAutotuneStart): Promise<PidAutotune> {
    const { hysteresis, least, most, max_s } = asked;
    return this.#askAudited(actor, id, asked, (daemon) =>
      daemon.pid_autotune_start(id, hysteresis, least, most, max_s),
    );
  }

  /** Throws as `command`. */
  async trial(id: string): Promise<PidAutotune> {
    return this.#ask(id, (daemon) => daemon.pid_autotune_get(id));
  }

  /** Throws as `command`. */
  async endTrial(actor: Actor, id: string): Promise<PidAutotune> {
    return this.#askAudited(actor, id, { aborted: true }, (daemon) => daemon.pid_autotune_abort(id));
  }

  async #askAudited(
    actor: Actor,
    id: string,
    asked: object,
    call: (daemon: PidServiceOptions['daemon']) => Promise<PidAutotune>,
  ): Promise<PidAutotune> {
    const { daemon, audit } = this.#options;
    this.#refuseInactive(id);
    return audited(() => call(daemon), { audit, kind: 'pid.autotune', actor, target: id, asked });
  }

  async #ask<Answer>(id: string, call: (daemon: PidServiceOptions['daemon']) => Promise<Answer>): Promise<Answer> {
    this.#refuseInactive(id);
    try {
      return await call(this.#options.daemon);
    } catch (error) {
      throw commandFailure(error);
    }
  }

  #refuseInactive(id: string): void {
    const { is_activated, name } = this.#settings(id);
    if (!is_activated) throw new Refusal('not_active', `PID "${name}" is not activated`);
  }

  async #tell(actor: Actor, id: string, asked: object, call: () => Promise<void>): Promise<PidLive> {
    const { daemon, audit } = this.#options;
    this.#refuseInactive(id);
    const before = this.get(id);
    await audited(call, { audit, kind: 'pid.command', actor, target: id, before, asked });
    return this.#ask(id, () => daemon.pid_state(id));
  }

  #settings(id: string): Pid {
    const found = this.#options.kinds.pid.get(id);
    if (found === undefined) throw new Refusal('not_found', 'no such PID');
    return found;
  }

  #liveOf({ unique_id, kp, ki, kd, setpoint, is_activated }: Pid): PidLive {
    const known = is_activated ? pidLive.safeParse(this.#options.live.control(unique_id)).data : undefined;
    return known ?? { ...unknown, pid_id: unique_id, setpoint, kp, ki, kd };
  }
}

/** Of a PID that does not run, or of which the daemon has reported nothing. */
const unknown = {
  state: 'inactive',
  measurement: null,
  measured_at: null,
  error: null,
  p: null,
  i: null,
  d: null,
  control: null,
  raise: null,
  lower: null,
  cause: null,
} satisfies Partial<PidLive>;

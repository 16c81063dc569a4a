import type { ControllerStatus, ControlLive } from '../../../contract/daemon.ts';
import type { Pid, PidLive } from '../../../contract/pid.ts';
import { RemoteFailure } from '../../../contract/remote/failure.ts';
import { ownPhases } from '../../grid.ts';
import type { Controllers, ControlSite } from '../controller-kind.ts';
import { PidController } from './pid.ts';
import { pidMemory, type PidMemory } from './pid-loop.ts';

interface PidsOptions extends Pick<ControlSite, 'clock' | 'live' | 'outputs' | 'store' | 'events' | 'writer'> {
  watchdog: Pick<ControlSite['watchdog'], 'watch'>;
  curves: Pick<ControlSite['curves'], 'curve' | 'method'>;
  measured: Pick<ControlSite['measured'], 'channelsOf'>;
}

/** All running PIDs. */
export class Pids implements Controllers<Pid> {
  readonly #options: PidsOptions;
  readonly #running = new Map<string, PidController>();
  readonly #nextPhase = ownPhases();

  constructor(options: PidsOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  /** Continues from where the last daemon left it. */
  async activate(settings: Pid): Promise<void> {
    const { unique_id } = settings;
    if (this.#running.has(unique_id)) return;
    const { store, clock, live, outputs, watchdog, writer, measured } = this.#options;
    const controller = new PidController(settings, {
      clock,
      live,
      outputs,
      watchdog,
      writer,
      phase: this.#nextPhase(),
      channelsOf: (one) => measured.channelsOf('pid', one),
      curve: (id) => this.#options.curves.curve(id),
      method: (id) => this.#options.curves.method(id),
      remember: (memory) => this.#remember(unique_id, memory),
      told: (state) => this.#tell(state),
      statusChanged: (status) => this.#publish(status),
    });
    this.#running.set(unique_id, controller);
    const { controllers } = await store.load();
    if (this.#running.get(unique_id) !== controller) return; // it was let go meanwhile
    controller.start(memoryOf(controllers.find(({ controller_id }) => controller_id === unique_id)?.state));
    this.#publish(controller.status());
  }

  async reconfigure(settings: Pid): Promise<void> {
    await this.#running.get(settings.unique_id)?.reconfigure(settings);
  }

  /** Its outputs go safe, and its accumulated state is forgotten. */
  async deactivate(id: string): Promise<boolean> {
    const controller = this.#running.get(id);
    this.#running.delete(id);
    if (controller === undefined) return true;
    await controller.end();
    await this.#options.store.remove(id);
    this.#tell(controller.live());
    this.#publish({ ...controller.status(), state: 'stopped', reason: null });
    return true;
  }

  /** Throws RemoteFailure `not_active`. */
  get(id: string): PidController {
    const controller = this.#running.get(id);
    if (controller === undefined) throw new RemoteFailure('not_active', `PID ${id} is not active`);
    return controller;
  }

  live(): ControlLive[] {
    return [...this.#running.values()].map((controller) => liveOf(controller.live()));
  }

  statuses(): ControllerStatus[] {
    return [...this.#running.values()].map((controller) => controller.status());
  }

  async stop(): Promise<boolean> {
    await Promise.all([...this.#running.values()].map((controller) => controller.stop()));
    return true;
  }

  #remember(controller_id: string, memory: PidMemory): void {
    void this.#options.store.saveController({ controller_id, state: JSON.stringify(memory) }).catch(() => undefined);
  }

  #tell(state: PidLive): void {
    this.#options.events.push({ kind: 'control', ...liveOf(state) });
  }

  #publish(status: ControllerStatus): void {
    this.#options.events.push({ kind: 'controller', ...status });
  }
}

function liveOf(live: PidLive): ControlLive {
  return { controller_id: live.pid_id, controller_type: 'PID', live };
}

/** Unreadable memory counts as none: the PID starts afresh. */
function memoryOf(stored: string | undefined): PidMemory | undefined {
  return stored === undefined ? undefined : pidMemory.safeParse(JSON.parse(stored)).data;
}

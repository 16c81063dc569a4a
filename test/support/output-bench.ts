import type { OutputChannel, OutputChannelState } from '../../server/contract/output.ts';
import type { AlarmChange } from '../../server/db/repositories/alarm.ts';
import type { StoredCheck } from '../../server/db/repositories/commissioning.ts';
import type { ControllerStateRow } from '../../server/db/repositories/controller-state.ts';
import type { EmergencyStopRow } from '../../server/db/repositories/emergency-stop.ts';
import type { OutputStateRow } from '../../server/db/repositories/output-state.ts';
import type { ControlState, ControlStore } from '../../server/daemon/store/control-store.ts';
import {
  DriverError,
  type Actuating,
  type DriverErrorCode,
  type OutputValue,
} from '../../server/daemon/drivers/driver.ts';
import type { Ended, EndedOverride } from '../../server/daemon/controllers/output/channel-host.ts';
import { ControlledChannel } from '../../server/daemon/controllers/output/output-channel.ts';
import { SafetyGate, type GateRule, type SiteView } from '../../server/daemon/safety/gate.ts';
import { ManualClock } from './manual-clock.ts';

export const benchOutputId = '00000000-0000-4000-8000-00000000000a';

/** A control store in memory, in place of a worker and a disk. */
export class MemoryControlStore implements ControlStore {
  readonly rows = new Map<string, OutputStateRow>();
  ended_orderly = false;
  /** Set to make every save fail. */
  failure: Error | undefined;
  emergency_stop: EmergencyStopRow | null = null;
  readonly asked = new Map<string, boolean>();
  readonly controllers = new Map<string, ControllerStateRow>();

  async load(): Promise<ControlState> {
    return {
      outputs: [...this.rows.values()],
      ended_orderly: this.ended_orderly,
      has_run: true,
      alarms: [],
      emergency_stop: this.emergency_stop,
      controllers: [...this.controllers.values()],
      asked: [...this.asked].map(([controller_id, is_active]) => ({ controller_id, is_active })),
    };
  }

  async save(row: OutputStateRow): Promise<void> {
    if (this.failure) throw this.failure;
    this.rows.set(`${row.output_id}/${row.channel}`, row);
  }

  async saveController(row: ControllerStateRow): Promise<void> {
    if (this.failure) throw this.failure;
    this.controllers.set(row.controller_id, row);
  }

  async remove(outputId: string): Promise<void> {
    this.controllers.delete(outputId);
    for (const [key, row] of this.rows) if (row.output_id === outputId) this.rows.delete(key);
  }

  async saveAlarms(_change: AlarmChange): Promise<void> {
    if (this.failure) throw this.failure;
  }

  async saveEmergencyStop(row: EmergencyStopRow | null): Promise<void> {
    if (this.failure) throw this.failure;
    this.emergency_stop = row;
  }

  async saveAsked(controllerId: string, isActive: boolean | null): Promise<void> {
    if (this.failure) throw this.failure;
    if (isActive === null) this.asked.delete(controllerId);
    else this.asked.set(controllerId, isActive);
  }

  async markRun(endedOrderly: boolean): Promise<void> {
    this.ended_orderly = endedOrderly;
  }

  readonly stored = new Map<string, StoredCheck>();

  async checks(): Promise<readonly StoredCheck[]> {
    return [...this.stored.values()].reverse();
  }

  async saveCheck(stored: StoredCheck): Promise<void> {
    this.stored.set(stored.check.check_id, structuredClone(stored));
  }

  async removeChecks(checkIds: readonly string[]): Promise<void> {
    for (const id of checkIds) this.stored.delete(id);
  }

  async close(): Promise<void> {
    this.failure = new Error('closed');
  }
}

type Answer = 'acknowledge' | 'stay_silent' | 'hang' | DriverErrorCode;

/** A device whose answers the test chooses; `hang` waits until the test changes it. */
export class ScriptedActuator implements Actuating {
  answer: Answer = 'acknowledge';
  readonly written: OutputValue[] = [];
  #hanging: ((answer: Exclude<Answer, 'hang'>) => void)[] = [];

  async write(_channel: number, value: OutputValue): Promise<{ acknowledged: boolean }> {
    this.written.push(value);
    const answer =
      this.answer === 'hang' ? await new Promise<Exclude<Answer, 'hang'>>((r) => this.#hanging.push(r)) : this.answer;
    if (answer === 'acknowledge' || answer === 'stay_silent') return { acknowledged: answer === 'acknowledge' };
    throw new DriverError(answer, `scripted ${answer}`);
  }

  /** Ends every write that hangs. */
  give(answer: Exclude<Answer, 'hang'>): void {
    for (const resolve of this.#hanging.splice(0)) resolve(answer);
  }
}

interface BenchOptions {
  settings?: Partial<OutputChannel>;
  rules?: GateRule[];
  site?: SiteView;
  clock?: ManualClock;
  store?: MemoryControlStore;
}

/** One channel with everything around it controlled by the test. */
export function outputBench({ settings, rules = [], site, clock = new ManualClock(), store }: BenchOptions = {}) {
  const actuator = new ScriptedActuator();
  const control = store ?? new MemoryControlStore();
  const emergency: { held: EmergencyStopRow | null } = { held: null };
  const told: { state: OutputChannelState; ended: Ended | undefined }[] = [];
  const overridesEnded: EndedOverride[] = [];
  const logged: string[] = [];
  const channel = new ControlledChannel(
    {
      channel: 0,
      name: 'heater',
      kind: 'switch',
      safe_state: 'off',
      startup_state: 'safe',
      shutdown_state: 'safe',
      min_off_s: 0,
      max_on_s: null,
      current_a: null,
      flow_ml_s: null,
      pwm_cycle_s: null,
      pwm_min_on_s: 1,
      motor_close_channel: null,
      motor_travel_s: null,
      motor_slack_s: 0,
      ...settings,
    },
    {
      output_id: benchOutputId,
      clock,
      gate: new SafetyGate(emergency, rules),
      emergency,
      site: site ?? { exposurePct: () => Infinity, currentBeside: () => 0 },
      store: control,
      device: () => actuator,
      changed: (state, ended) => void told.push({ state, ended }),
      overrideEnded: (ended) => void overridesEnded.push(ended),
      log: (line) => void logged.push(line),
    },
  );
  const row = (): OutputStateRow | undefined => control.rows.get(`${benchOutputId}/0`);
  return { actuator, channel, emergency, clock, control, logged, overridesEnded, row, told };
}

/** A bench whose channel has started control, with its first writes forgotten. */
export async function runningBench(...args: Parameters<typeof outputBench>) {
  const bench = outputBench(...args);
  await bench.channel.start(undefined, true);
  bench.actuator.written.length = 0;
  return bench;
}

import type { LastValue } from '../../server/contract/measurement.ts';
import type { Output } from '../../server/contract/output.ts';
import { Alarms, type AlarmPort } from '../../server/daemon/alarms/alarms.ts';
import { Outputs } from '../../server/daemon/controllers/output/outputs.ts';
import type { Device } from '../../server/daemon/drivers/driver.ts';
import { EventRing } from '../../server/daemon/events/events.ts';
import { emptyPlan, type SafetyPlan } from '../../server/daemon/safety/plan.ts';
import { Safety, type SafetyOptions } from '../../server/daemon/safety/safety.ts';
import type { Watchdog } from '../../server/daemon/alarms/watchdog.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryControlStore, ScriptedActuator } from './output-bench.ts';

/** For tests that do not ask about hanging loops. */
export const noWatchdog: Pick<Watchdog, 'watch'> = { watch: () => ({ beat: () => undefined, end: () => undefined }) };

/** For tests that do not ask about alarms. */
export const noAlarms: AlarmPort = { raise: () => undefined, clear: () => undefined };

/** A gate that follows the plan alone, for a site without readings. */
export function testSafety({ clock, events, store }: Pick<SafetyOptions, 'clock' | 'events' | 'store'>): Safety {
  return new Safety({ clock, events, store, log: () => undefined, configuration: { safetyPlan: () => emptyPlan } });
}

interface SiteOptions {
  plan?: Partial<SafetyPlan>;
  store?: MemoryControlStore;
  /** The device of an output; default one that the test scripts. */
  connect?: (output: Output) => Promise<Device>;
  watchdog?: Pick<Watchdog, 'watch'>;
  clock?: ManualClock;
}

/** Outputs under the real gate, with devices, clock, plan and readings controlled by the test. */
export function outputsSite({
  plan = {},
  store = new MemoryControlStore(),
  connect,
  watchdog = noWatchdog,
  clock = new ManualClock(),
}: SiteOptions = {}) {
  const events = new EventRing(clock);
  const log = (): void => undefined;
  const alarms = new Alarms({ clock, events, store, log });
  const planned = { now: { ...emptyPlan, ...plan } };
  const safety = new Safety({ clock, events, store, log, configuration: { safetyPlan: () => planned.now } });
  const actuators = new Map<string, ScriptedActuator>();
  const scripted = async ({ unique_id }: Output): Promise<Device> => {
    const actuator = actuators.get(unique_id) ?? new ScriptedActuator();
    actuators.set(unique_id, actuator);
    return { write: (channel, value) => actuator.write(channel, value), close: async () => undefined };
  };
  const outputs = new Outputs({
    alarms,
    clock,
    store,
    events,
    log,
    safety,
    watchdog,
    connect: connect ?? scripted,
  });
  return {
    alarms,
    clock,
    events,
    outputs,
    safety,
    store,
    actuatorOf: (id: string): ScriptedActuator => {
      const actuator = actuators.get(id);
      if (actuator === undefined) throw new Error(`${id} was never connected`);
      return actuator;
    },
    /** Starts safety first, then the outputs, as the daemon does. */
    start: async (configured: readonly Output[]): Promise<void> => {
      const left = await store.load();
      safety.start(left.emergency_stop, () => outputs.reconsider());
      await outputs.start(configured, left);
    },
    replan: (changes: Partial<SafetyPlan>): void => {
      planned.now = { ...planned.now, ...changes };
      safety.refresh();
    },
    /** Stores them without a refresh. */
    save: (changes: Partial<SafetyPlan>): void => {
      planned.now = { ...planned.now, ...changes };
    },
    stateOf: (id: string) => outputs.channel(id).state().state,
    /** A reading as an input reports it. */
    read: (reading: Pick<LastValue, 'device_id' | 'measurement_id' | 'value'> & Partial<LastValue>): void => {
      const known = { channel: 0, unit: '', quality: 'good' as const, time_ms: clock.now() };
      events.push({ kind: 'measurement', ...known, ...reading });
    },
  };
}

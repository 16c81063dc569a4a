import { randomUUID } from 'node:crypto';
import type { CommissioningCheck, CheckItem } from '../../server/contract/commissioning.ts';
import {
  simulatedActuators,
  simulatedMeasurements,
  type SimulatedFault,
  type SimulatedPart,
} from '../../server/contract/drivers/simulated.ts';
import { MeasuredDevices } from '../../server/domain/control/measured-devices.ts';
import { controllerLists } from './controller-lists.ts';
import { measurementUnits } from '../../server/contract/units.ts';
import type { ActuatorBinding, ActuatorRole, Facility, SensorRole } from '../../server/contract/facility.ts';
import type { FunctionSettings } from '../../server/contract/function.ts';
import type { Input } from '../../server/contract/input.ts';
import { driverOptions, type Output } from '../../server/contract/output.ts';
import { Commissioning } from '../../server/daemon/commissioning/commissioning.ts';
import type { RoundJudge } from '../../server/daemon/commissioning/round-judge.ts';
import { InputOutputs } from '../../server/daemon/controllers/input/input-outputs.ts';
import { Inputs } from '../../server/daemon/controllers/input/inputs.ts';
import { simulatedHouse } from '../../server/domain/simulation/simulated-house.ts';
import { judgeRound } from '../../server/domain/commissioning/round-judgement.ts';
import { Outputs } from '../../server/daemon/controllers/output/outputs.ts';
import { DriverFamilies } from '../../server/daemon/drivers/families.ts';
// Imported before the test's time starts, which does not wait for a file to load.
import '../../server/daemon/drivers/simulated/index.ts';
import { EventRing } from '../../server/daemon/events/events.ts';
import { LiveValues } from '../../server/daemon/events/live-values.ts';
import { ManualClock, settled } from './manual-clock.ts';
import { MemoryControlStore } from './output-bench.ts';
import { noAlarms, noWatchdog, testSafety } from './outputs-site.ts';

/** Noon in January at Seoul: there is light to shade, and the house is warmer and moister than outdoors. */
export const winterNoon = Date.UTC(2026, 0, 15, 3, 30);

export interface Sensor {
  role: SensorRole;
  name?: string;
  fault?: SimulatedFault;
  period_s?: number;
  /** Adds the noise of a common sensor. */
  noise_seed?: number;
}

export interface Actuator {
  role: ActuatorRole;
  name?: string;
  fault?: SimulatedFault;
  /** The rating on its plate. */
  rating?: Partial<ActuatorBinding> | undefined;
}

const sensorParts: Partial<Record<SensorRole, [part: SimulatedPart, channel: number]>> = {
  indoor_temp: ['indoor', 0],
  indoor_humidity: ['indoor', 1],
  indoor_co2: ['indoor', 2],
  indoor_light: ['indoor', 3],
  outdoor_temp: ['weather', 0],
  outdoor_humidity: ['weather', 1],
  outdoor_wind: ['weather', 2],
  outdoor_wind_dir: ['weather', 3],
  outdoor_solar: ['weather', 4],
  rain: ['weather', 5],
};

/** The sensor reads the true value. */
const asRead = {
  is_enabled: true,
  scale: null,
  raw_unit: null,
  plausible_min: null,
  plausible_max: null,
  max_rate_per_min: null,
  resolution: null,
};

const actuatorParts: Partial<Record<ActuatorRole, SimulatedPart>> = {
  heater: 'heater',
  exhaust_fan: 'fan',
  side_vent: 'side_vent',
  roof_vent: 'roof_vent',
  co2_supply: 'co2',
  lighting: 'lighting',
  shade_curtain: 'shade',
  fogger: 'fogger',
  irrigation_valve: 'valve',
};

export const allSensors: readonly Sensor[] = (
  ['indoor_temp', 'indoor_humidity', 'indoor_co2', 'indoor_light', 'outdoor_temp', 'outdoor_humidity'] as const
).map((role) => ({ role }));
export const allActuators: readonly Actuator[] = (
  ['heater', 'co2_supply', 'fogger', 'exhaust_fan', 'side_vent', 'roof_vent', 'lighting', 'shade_curtain'] as const
).map((role) => ({ role }));

/** The same list with another entry for a role. */
export function withOne<One extends { role: string }>(list: readonly One[], changed: One): One[] {
  return list.map((one) => (one.role === changed.role ? changed : one));
}

/** Location of the simulated house; default Seoul. */
export interface Place {
  lat?: number;
  lng?: number;
}

/** One device per sensor, as in a real house. */
export function newSensor(
  { role, name = role, fault, noise_seed, period_s = 2 }: Sensor,
  house: string,
  place: Place = {},
): Input {
  const [part, number] = sensorParts[role] ?? ['indoor', 0];
  const measurement = simulatedMeasurements[part]?.[number] ?? 'temperature';
  const channel = {
    channel: number,
    name,
    measurement_id: randomUUID(),
    measurement,
    unit: measurementUnits[measurement],
    ...asRead,
  };
  const options = driverOptions.parse({
    house,
    part,
    ...place,
    ...(fault && { fault }),
    ...(noise_seed && { noise_seed }),
  });
  return {
    unique_id: randomUUID(),
    name,
    driver: 'simulated',
    options,
    period_s,
    start_offset_s: 0,
    pre_output: null,
    power_output: null,
    channels: [channel],
    is_activated: true,
  };
}

export function newActuator({ role, name = role, fault }: Actuator, house: string): Output {
  const part = actuatorParts[role] ?? 'switch';
  const settings = {
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
  } as const;
  return {
    unique_id: randomUUID(),
    name,
    driver: 'simulated',
    is_activated: true,
    options: driverOptions.parse({ ...(part !== 'switch' && { house }), part, ...(fault && { fault }) }),
    channels: [{ channel: 0, name, kind: simulatedActuators[part] ?? 'switch', ...settings }],
  };
}

/** Judges in the test's own thread: no real time passes while the test's clock stands still. */
const judgeHere: RoundJudge = {
  judge: (round) => Promise.resolve(judgeRound(round)),
  close: () => Promise.resolve(),
};

interface BenchOptions {
  judge?: RoundJudge;
  sensors?: readonly Sensor[];
  actuators?: readonly Actuator[];
  now?: number;
  store?: MemoryControlStore;
  /** Devices of other houses. */
  foreign?: readonly Input[];
  functions?: readonly FunctionSettings[];
  house?: string;
  place?: Place;
  /** From an earlier start. */
  facility?: Facility;
  outputs?: readonly Output[];
}

/** A simulated house with running devices and the engine that checks it, all on the test's clock. */
export function commissioningBench(options: BenchOptions = {}) {
  const { sensors = allSensors, actuators = allActuators, foreign = [], store = new MemoryControlStore() } = options;
  const { judge = judgeHere, functions = [] } = options;
  const house = options.house ?? randomUUID();
  const clock = new ManualClock(options.now ?? winterNoon);
  const inputs = sensors.map((sensor) => newSensor(sensor, house, options.place));
  const outputs = options.outputs ?? actuators.map((actuator) => newActuator(actuator, house));
  const facility =
    options.facility ??
    newFacility(
      sensors.map(({ role, name = role }, index) => ({ role, name, input: at(inputs, index) })),
      actuators.map(({ role, name = role, rating }, index) => ({ role, name, rating, output: at(outputs, index) })),
    );
  const events = new EventRing(clock);
  const live = new LiveValues(clock, events);
  const logged: string[] = [];
  const log = (line: string): void => void logged.push(line);
  const families = new DriverFamilies({ clock, log });
  const safety = testSafety({ clock, events, store });
  const running = new Outputs({
    alarms: noAlarms,
    watchdog: noWatchdog,
    clock,
    store,
    log,
    events,
    safety,
    connect: (output, signal) => families.connect({ ...deviceOf(output), kind: 'output' }, signal),
  });
  const reading = new Inputs({
    clock,
    live,
    events,
    watchdog: noWatchdog,
    outputs: new InputOutputs({ clock, command: (command) => running.command(command) }),
    writer: { write: async () => undefined },
    conversion: () => undefined,
    connect: (input, signal) => families.connect({ ...deviceOf(input), kind: 'input' }, signal),
  });
  const standing = { is: 'living' as 'living' | 'in_trash' | 'gone' };
  const configuration = {
    facility: (id: string) => (id === facility.unique_id && standing.is === 'living' ? facility : undefined),
    facilityStanding: (id: string) => (id === facility.unique_id ? standing.is : 'gone'),
    ...controllerLists(() => ({ input: [...inputs, ...foreign], output: outputs, function: functions })),
  };
  const measured = new MeasuredDevices(configuration);
  const engine = new Commissioning({
    clock,
    configuration,
    measured,
    store,
    outputs: running,
    isStopped: () => safety.emergency.held !== null,
    live,
    events,
    judge,
    log,
  });
  const bench = {
    clock,
    engine,
    events,
    facility,
    inputs,
    live,
    logged,
    outputs,
    reading,
    running,
    safety,
    standing,
    store,
    /** Starts the devices; the outputs as after an orderly stop. */
    start: async (): Promise<void> => {
      await running.start(outputs, await store.load());
      for (const input of [...inputs, ...foreign]) reading.activate(input);
      await engine.start();
      await clock.advance(5_000);
    },
    /** Starts a check and advances time until it ends, at most an hour. */
    run: async (include: readonly string[] | null = null): Promise<CommissioningCheck> => {
      const { check_id } = await engine.begin(facility.unique_id, include, 'kim');
      await bench.until(() => engine.get(check_id).status !== 'running');
      return engine.get(check_id);
    },
    until: async (isTrue: () => boolean, longest_s = 3600): Promise<void> => {
      for (let waited_s = 0; !isTrue(); waited_s += 1) {
        if (waited_s > longest_s) throw new Error('it did not come');
        await clock.advance(1_000);
      }
      await settled();
    },
    /** Stops the devices and everything that waits. */
    stop: async (): Promise<void> => {
      await engine.stop();
      await reading.stop();
      live.stop();
    },
    output: (role: ActuatorRole): Output => {
      const index = actuators.findIndex((one) => one.role === role);
      return at(outputs, index);
    },
    stateOf: (role: ActuatorRole) => running.channel(bench.output(role).unique_id).state(),
  };
  return bench;
}

export function itemOf(check: CommissioningCheck, role: string, name = role): CheckItem {
  const item = check.items.find((one) => one.role === role && one.name === name);
  if (item === undefined) throw new Error(`there is no item ${role}`);
  return item;
}

/** Results by name, compact for a test's expectation. */
export function resultsOf(check: CommissioningCheck): Record<string, string> {
  return Object.fromEntries(check.items.map(({ name, result }) => [name, result]));
}

export function newFacility(
  sensors: readonly { role: SensorRole; name: string; input: Input }[],
  actuators: readonly { role: ActuatorRole; name: string; output: Output; rating?: Actuator['rating'] }[],
): Facility {
  const time = new Date(winterNoon).toISOString();
  return {
    unique_id: randomUUID(),
    name: 'House 1',
    shape_uuid: randomUUID(),
    geo_id: randomUUID(),
    preset: 'greenhouse',
    structure: 'single',
    bay_count: 1,
    notes: '',
    revision: 1,
    created_at: time,
    updated_at: time,
    envelope: simulatedHouse.envelope,
    sensors: sensors.map(({ role, name, input }) => ({
      role,
      name,
      device_id: input.unique_id,
      measurement_id: input.channels[0]?.measurement_id ?? '',
    })),
    actuators: actuators.map(({ role, name, output, rating }) => ({
      role,
      name,
      device_id: output.unique_id,
      ...rating,
    })),
    openings: [],
    curtains: [{ kind: 'shade', position: 'ceiling', layers: 1, transmittance: 1 - simulatedHouse.shade_share }],
    fans: [],
    view_3d: { spacing_m: 2, render_mode: 'solid', category_visibility: {} },
  };
}

function deviceOf({ unique_id, driver, options, channels }: Input | Output) {
  return { device_id: unique_id, driver, options, channels: channels.map(({ channel }) => channel) };
}

function at<One>(list: readonly One[], index: number): One {
  const one = list[index];
  if (one === undefined) throw new RangeError(`there is no entry ${index}`);
  return one;
}

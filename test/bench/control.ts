import { setTimeout as pause } from 'node:timers/promises';
import { conditional, conditionalKind } from '../../server/contract/conditional.ts';
import type { Input } from '../../server/contract/input.ts';
import { pid, pidKind } from '../../server/contract/pid.ts';
import { trigger, triggerKind } from '../../server/contract/trigger.ts';
import type { Database } from '../../server/db/open.ts';
import { ControllerRepository } from '../../server/db/repositories/controller.ts';
import { removeDataDirectory } from '../support/running-service.ts';
import {
  at,
  idOf,
  latenessOf,
  processorS,
  readingsOf,
  simulatedInput,
  siteOf,
  startDaemon,
  switchOf,
} from './daemon-site.ts';
import type { Figure } from './figure.ts';
import { residentMb } from './resident.ts';

const pidCount = 100;
const triggerCount = 200;
const conditionalCount = 100;
const inputCount = 500;
const settleMs = 20_000;
const measureMs = 60_000;
const fastId = idOf(9, 1);

/** Each reading differs from the one before, so that every step of a PID moves its output. */
const sensors = Array.from({ length: inputCount }, (_, number) =>
  simulatedInput(idOf(7, number), 1, { options: { noise_seed: number + 1 } }),
);
const vents = Array.from({ length: pidCount }, (_, number) => {
  const one = switchOf(number);
  return { ...one, channels: one.channels.map((channel) => ({ ...channel, kind: 'dimmer' as const })) };
});
const lamps = Array.from({ length: conditionalCount }, (_, number) => switchOf(pidCount + number));

function seriesOf(input: Input | undefined) {
  const measurement_id = input?.channels[0]?.measurement_id;
  return { device_id: input?.unique_id, measurement_id, max_age_s: 60 };
}

function insertPids(database: Database): void {
  const pids = new ControllerRepository(database, pidKind);
  for (const [number, vent] of vents.entries()) {
    const lower = { output_id: vent.unique_id, channel: 0, kind: 'pwm' };
    pids.insert(
      pid.parse({
        unique_id: idOf(5, number),
        name: `PID ${number}`,
        is_activated: true,
        measurement: seriesOf(sensors[number]),
        setpoint: -50,
        method_id: null,
        setpoint_measurement: null,
        period_s: 5,
        kp: 1,
        ki: 0.0001,
        kd: 1,
        derivative_filter_s: 5,
        integrator_min: null,
        integrator_max: null,
        band: 0,
        direction: 'lower',
        raise: null,
        lower,
      }),
    );
  }
}

/** A quarter each by the hour, by the sun, often, and by a measurement that passes its level back and forth. */
function goesBy(number: number): object {
  const hour = String(number % 24).padStart(2, '0');
  switch (number % 4) {
    case 0:
      return { kind: 'time_point', at: `${hour}:30` };
    case 1:
      return { kind: 'sunrise_sunset', event: 'sunset', offset_min: number };
    case 2:
      return { kind: 'interval', period_s: 10 };
    default:
      return { kind: 'edge', measurement: seriesOf(sensors[number]), level: 0, direction: 'both' };
  }
}

function insertTriggers(database: Database): void {
  const triggers = new ControllerRepository(database, triggerKind);
  for (let number = 0; number < triggerCount; number += 1) {
    const output_id = lamps[number % conditionalCount]?.unique_id;
    const action = { unique_id: idOf(2, number), name: 'act', kind: 'output', output_id, state: true, duration_s: 3 };
    triggers.insert(
      trigger.parse({
        unique_id: idOf(4, number),
        name: `Trigger ${number}`,
        is_activated: true,
        missed: 'skip',
        ...goesBy(number),
        actions: [action],
      }),
    );
  }
}

/** Every fourth looks back over ten minutes of what is stored. */
function insertConditionals(database: Database): void {
  const conditionals = new ControllerRepository(database, conditionalKind);
  for (let number = 0; number < conditionalCount; number += 1) {
    const [{ max_age_s, ...series }, output_id] = [seriesOf(sensors[200 + number]), lamps[number]?.unique_id];
    const past = { kind: 'past', over_s: 600, take: 'mean', ...series };
    const newest = { kind: 'measurement', max_age_s, ...series };
    conditionals.insert(
      conditional.parse({
        unique_id: idOf(3, number),
        name: `Rule ${number}`,
        is_activated: true,
        period_s: 5,
        start_offset_s: 0,
        conditions: [
          { unique_id: idOf(1, number), name: 't', ...newest },
          { unique_id: idOf(1, 1_000 + number), name: 'usual', ...(number % 4 === 0 ? past : newest) },
          { unique_id: idOf(1, 2_000 + number), name: 'lit', kind: 'output_state', output_id },
        ],
        statement: 'if (t < usual + 0.1 && !lit) { run(light, true); } else { run(light, t < usual); }',
        actions: [{ unique_id: idOf(1, 3_000 + number), name: 'light', kind: 'output', output_id, state: true }],
      }),
    );
  }
}

/** The built daemon with all that can drive a large site by itself. */
export async function benchControl(): Promise<Figure[]> {
  const directory = siteOf([...sensors, simulatedInput(fastId, 0.1)], [...vents, ...lamps], (database) => {
    insertPids(database);
    insertTriggers(database);
    insertConditionals(database);
  });
  const daemon = await startDaemon(directory);
  await pause(settleMs);
  const [from, before] = [Date.now(), processorS(daemon.pid)];
  await pause(measureMs);
  const [to, used_s] = [Date.now(), processorS(daemon.pid) - before];
  const memory_mb = residentMb(daemon.pid);
  const { controllers } = await daemon.control.live_state();
  const failed = controllers.filter(({ state }) => state !== 'running');
  await daemon.stop();
  const late = latenessOf(readingsOf(directory, fastId, { from, to }), 100);
  removeDataDirectory(directory);
  const what = `${pidCount} PIDs at 5 s, ${triggerCount} triggers, ${conditionalCount} conditional functions, ${inputCount} inputs`;
  return [
    { what: `daemon of ${what} at 1 s: share of a core`, value: `${((100_000 * used_s) / (to - from)).toFixed(1)} %` },
    { what: '… memory', value: `${Math.round(memory_mb)} MB` },
    {
      what: '… lateness of a 100 ms tick, p50 / p99',
      value: `${at(late, 0.5).toFixed(1)} / ${at(late, 0.99).toFixed(1)} ms`,
    },
    { what: '… controllers at work / failed', value: `${controllers.length} / ${failed.length}` },
  ];
}

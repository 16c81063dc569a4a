import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Input } from '../../../server/contract/input.ts';
import { controllerStores } from '../../../server/db/repositories/controller-stores.ts';
import { FacilityRepository } from '../../../server/db/repositories/facility.ts';
import { startDaemon, until, type DaemonUnderTest } from '../../support/daemon-process.ts';
import { daemonSite, plainChannel, simulatedOutput } from '../../support/daemon-site.ts';
import { kill } from '../../support/heater-site.ts';
import { startModbusWitness, type ModbusWitness } from '../../support/modbus-witness.ts';
import {
  co2,
  east,
  pump,
  seriesOf,
  shot_s,
  station,
  wateredHouse,
  wateredRoles,
  wateringProgram,
  west,
} from '../../support/watered-house.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
/** The world's clock runs so much faster for the daemon. */
const speed = 40;
const hours = 6;
const kills = 200;
/** 600 W/m2 come to 100 J/cm2 in so long, s. */
const sum_s = 1667;
const tick_s = 30;
/** A fifth of a second of the world. */
const late_s = 0.2 * speed;
const program = join(import.meta.dirname, '../../support/fast-daemon.ts');
/** Coil of each, and what each sensor always says. */
const coilOf: Record<string, number> = { [pump]: 0, [east]: 1, [west]: 2, [co2]: 3 };
const says = { indoor_temp: 20, outdoor_solar: 600, indoor_co2: 500 } as const;
const measures = { indoor_temp: 'temperature', outdoor_solar: 'radiation', indoor_co2: 'co2' } as const;
const units = { indoor_temp: 'C', outdoor_solar: 'W/m2', indoor_co2: 'ppm' } as const;

/** A site whose valves, pump, CO2 and sensors are those of the witness. */
function wateredSite({ port }: ModbusWitness): string {
  const unit = { host: '127.0.0.1', port };
  const input: Input = {
    ...{ unique_id: station, name: 'Station', driver: 'modbus', period_s: 20, start_offset_s: 0, is_activated: true },
    ...{ pre_output: null, power_output: null },
    options: {
      ...unit,
      registers: wateredRoles.map((role, channel) => ({
        ...{ channel, table: 'holding', address: 10 + channel, offset: says[role] },
      })),
    },
    channels: wateredRoles.map((role, channel) => ({
      ...plainChannel,
      ...{ channel, name: role, measurement_id: seriesOf[role], measurement: measures[role], unit: units[role] },
    })),
  };
  return daemonSite({}, undefined, (database) => {
    const stores = controllerStores(database);
    stores.input.insert(input);
    for (const [output, address] of Object.entries(coilOf))
      stores.output.insert({
        ...simulatedOutput(output, 'heater'),
        ...{ driver: 'modbus', options: { ...unit, registers: [{ channel: 0, table: 'coil', address }] } },
      });
    new FacilityRepository(database).insert(wateredHouse);
    stores.climate.insert(wateringProgram);
  });
}

/** A daemon that was killed begins again after so long, s of the fast clock. */
const down_s = 5;

/** A life of the daemon: when it began in the world and on the fast clock, when that became fast, and when it was killed, epoch ms. */
interface Life {
  world_ms: number;
  fast_ms: number;
  went_ms: number;
  killed_ms: number;
}

async function born(dataDirectory: string, fast_ms: number): Promise<{ daemon: DaemonUnderTest; life: Life }> {
  const daemon = startDaemon({ dataDirectory }, { program, env: { FAST_CLOCK: `${fast_ms} ${speed}` } });
  const told = { began: Promise.withResolvers<number>(), went: Promise.withResolvers<number>() };
  daemon.child.on('message', ({ kind, world_ms = NaN }: { kind: string; world_ms?: number }) => {
    if (kind === 'began' || kind === 'went') told[kind].resolve(world_ms);
  });
  await daemon.ready;
  daemon.child.send({ kind: 'go' });
  const [world_ms, went_ms] = [await told.began.promise, await told.went.promise];
  return { daemon, life: { world_ms, fast_ms, went_ms, killed_ms: Infinity } };
}

/** A moment of the world on the fast clock; between two lives it stands still. */
function fastOf(lives: readonly Life[], worldMs: number): number {
  const life = lives.findLast((one) => one.world_ms <= worldMs) ?? lives[0] ?? never();
  const until = Math.min(worldMs, life.killed_ms);
  return life.fast_ms + Math.min(until, life.went_ms) - life.world_ms + Math.max(0, until - life.went_ms) * speed;
}

function never(): never {
  throw new Error('nobody lived');
}

/** For how long a coil was on, s of the fast clock; until now where it still is. */
function on_s(witness: ModbusWitness, lives: readonly Life[], output: string): number {
  const course = witness.course(coilOf[output] ?? -1).map(({ at_ms, to }) => ({ at_ms: fastOf(lives, at_ms), to }));
  const nowMs = fastOf(lives, Date.now());
  const spans = course.map(({ at_ms, to }, index) => (to ? (course[index + 1]?.at_ms ?? nowMs) - at_ms : 0));
  return spans.reduce((sum, one) => sum + one, 0) / 1000;
}

/** How often both valves stood open at once. */
function together(witness: ModbusWitness): number {
  const all = [east, west].flatMap((key) => witness.course(coilOf[key] ?? -1).map((one) => ({ key, ...one })));
  const open = new Set<string>();
  return all
    .sort((a, b) => a.at_ms - b.at_ms)
    .filter(({ key, to }) => {
      if (to) open.add(key);
      else open.delete(key);
      return open.size > 1;
    }).length;
}

it.runIf(isLong)(
  `gives water and CO2 as they are due through ${kills} times kill -9 of a daemon at work`,
  async () => {
    const witness = await startModbusWitness();
    const dataDirectory = wateredSite(witness);
    const startMs = Date.UTC(2026, 5, 20, 8);
    const isOn = (...keys: string[]): boolean => keys.some((key) => witness.coil(coilOf[key] ?? -1));
    const lives: Life[] = [];
    const fastNow = (): number => fastOf(lives, Date.now());
    let { daemon, life } = await born(dataDirectory, startMs);
    lives.push(life);
    let cut = 0;
    const moments = Array.from({ length: kills }, () => startMs + Math.random() * hours * 3_600_000);
    for (const moment of moments.sort((a, b) => a - b)) {
      await until(fastNow, (ms) => ms >= moment, hours * 3600);
      if (isOn(east, west)) cut += 1;
      await kill(daemon);
      life.killed_ms = Date.now();
      ({ daemon, life } = await born(dataDirectory, fastNow() + down_s * 1000));
      lives.push(life);
    }
    await until(fastNow, (ms) => ms >= startMs + hours * 3_600_000, hours * 3600);
    const whole_s = (fastNow() - startMs) / 1000;
    const dosed_s = on_s(witness, lives, co2);
    await until(
      () => isOn(east, west, pump),
      (open) => !open,
      300,
    );
    await kill(daemon);
    life.killed_ms = Date.now();
    const given_s = [east, west].map((key) => on_s(witness, lives, key));
    const shots = Math.round(Math.max(...given_s) / shot_s);
    const found = { shots, given_s, pump_s: on_s(witness, lives, pump), dosed_s, whole_s, cut };
    process.stderr.write(`${JSON.stringify(found)}\n`);
    // Each shot is seen at the next look, and each life waits for its first readings.
    const due = whole_s / sum_s;
    expect(shots).toBeGreaterThanOrEqual(Math.floor(due * (1 - (2 * tick_s) / sum_s)) - 1);
    expect(shots).toBeLessThanOrEqual(due + 1);
    // A turn that was cut is off by a look at most; an order may come late by what the machine is busy with.
    const tolerance_s = cut * (tick_s + down_s) + shots * late_s;
    for (const one of given_s) expect(Math.abs(one - shots * shot_s)).toBeLessThanOrEqual(tolerance_s);
    const [first = 0, second = 0] = given_s;
    expect(Math.abs(found.pump_s - first - second)).toBeLessThanOrEqual(tolerance_s);
    expect(together(witness)).toBe(0);
    // Until the first readings, the look after these, and the order.
    expect(whole_s - dosed_s).toBeLessThanOrEqual((kills + 1) * (down_s + 3 * tick_s + late_s));
  },
  7_200_000,
);

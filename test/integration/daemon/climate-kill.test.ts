import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Input } from '../../../server/contract/input.ts';
import { controllerStores } from '../../../server/db/repositories/controller-stores.ts';
import { FacilityRepository } from '../../../server/db/repositories/facility.ts';
import { startDaemon, until } from '../../support/daemon-process.ts';
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
const speed = 20;
const hours = 9;
const kills = 200;
/** 600 W/m2 come to 100 J/cm2 in so long, s. */
const sum_s = 1667;
const tick_s = 30;
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

/** For how long a coil was on, s of the fast clock; until now where it still is. */
function on_s(witness: ModbusWitness, output: string, nowMs: number): number {
  const course = witness.course(coilOf[output] ?? -1);
  const spans = course.map(({ at_ms, to }, index) => (to ? (course[index + 1]?.at_ms ?? nowMs) - at_ms : 0));
  return (spans.reduce((sum, one) => sum + one, 0) * speed) / 1000;
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
    const worldMs = Date.now();
    const env = { FAST_CLOCK: `${Date.UTC(2026, 5, 20, 8)} ${worldMs} ${speed}` };
    const endMs = worldMs + (hours * 3_600_000) / speed;
    const moments = Array.from({ length: kills }, () => worldMs + Math.random() * (endMs - worldMs));
    const now = (): number => Date.now();
    const isOn = (key: string): boolean => witness.coil(coilOf[key] ?? -1);
    let daemon = startDaemon({ dataDirectory }, { program, env });
    await daemon.ready;
    const downs_s: number[] = [];
    let lost_s = 0;
    for (const moment of moments.sort((a, b) => a - b)) {
      await until(now, (ms) => ms >= moment, hours * 3600);
      const [cutAtMs, wasOpen] = [now(), isOn(east) || isOn(west)];
      await kill(daemon);
      daemon = startDaemon({ dataDirectory }, { program, env });
      await daemon.ready;
      const down_s = ((now() - cutAtMs) * speed) / 1000;
      downs_s.push(down_s);
      if (wasOpen) lost_s += tick_s + down_s;
    }
    await until(now, (ms) => ms >= endMs, hours * 3600);
    const whole_s = ((now() - worldMs) * speed) / 1000;
    const dosed_s = on_s(witness, co2, now());
    await until(
      () => isOn(east) || isOn(west) || isOn(pump),
      (open) => !open,
      120,
    );
    await kill(daemon);
    const given_s = [east, west].map((key) => on_s(witness, key, now()));
    const shots = Math.round(Math.max(...given_s) / shot_s);
    const found = { shots, given_s, pump_s: on_s(witness, pump, now()), dosed_s, whole_s, lost_s, downs_s };
    process.stderr.write(`${JSON.stringify(found)}\n`);
    // Each shot is seen at the next look, and a start waits for its first readings.
    const due = Math.floor(whole_s / (sum_s + 2 * tick_s));
    expect(shots).toBeGreaterThanOrEqual(due - 1);
    expect(shots).toBeLessThanOrEqual(whole_s / sum_s);
    const late_s = 2 * speed * 0.1 * shots;
    for (const one of given_s) expect(Math.abs(one - shots * shot_s)).toBeLessThanOrEqual(lost_s + late_s);
    const [first = 0, second = 0] = given_s;
    expect(Math.abs(found.pump_s - first - second)).toBeLessThanOrEqual(lost_s + late_s);
    expect(together(witness)).toBe(0);
    const missed_s = downs_s.reduce((sum, one) => sum + one + 2 * tick_s, 4 * tick_s);
    expect(whole_s - dosed_s).toBeLessThanOrEqual(missed_s);
  },
  7_200_000,
);

import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { Climates } from '../../../../server/daemon/controllers/climate/kind.ts';
import type { OutputValue } from '../../../../server/daemon/drivers/driver.ts';
import { LiveValues } from '../../../../server/daemon/events/live-values.ts';
import { emptyPlan, type PlanFacility } from '../../../../server/daemon/safety/plan.ts';
import { simulatedOutput } from '../../../support/daemon-site.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryControlStore } from '../../../support/output-bench.ts';
import { rememberedSamples } from '../../../support/measured.ts';
import { noWatchdog, outputsSite } from '../../../support/outputs-site.ts';
import {
  co2,
  east,
  house,
  own,
  pump,
  seriesOf,
  shot_s,
  station,
  turnsOf,
  unitOf,
  wateredHouse as facility,
  wateredRoles as roles,
  wateringProgram as program,
  west,
  type Opened,
} from '../../../support/watered-house.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
const tick_s = 30;
/** A daemon that was killed stands again after so long, s. */
const down_s = 5;
/** Time for the last shot to end, s. */
const dusk_s = 900;

const planned: PlanFacility = {
  unique_id: house,
  name: 'House',
  sensors: roles.map((role) => ({
    role,
    name: role,
    device_id: station,
    measurement_id: seriesOf[role],
    weight: 1,
    stale_after_s: 90,
  })),
  actuators: facility.actuators.map(({ role, device_id }) => ({ role, output_id: device_id, channel: 0 })),
};

interface Opening extends Opened {
  key: string;
}

/** Valves that stand as they were told last, whoever lives: what they gave is by the clock of the world. */
class Valves {
  readonly openings: Opening[] = [];
  /** How often a valve was told anything while both stood open. */
  together = 0;
  readonly #on = new Map<string, number>();

  write(key: string, value: OutputValue, nowMs: number): void {
    const isOn = value === 'on';
    const since = this.#on.get(key);
    if (since !== undefined) {
      this.openings.push({ key, from_ms: since, to_ms: nowMs });
      this.#on.delete(key);
    }
    if (isOn) this.#on.set(key, nowMs);
    if (this.#on.has(east) && this.#on.has(west)) this.together += 1;
  }

  isOn(key: string): boolean {
    return this.#on.has(key);
  }

  /** All the time for which it was on until now, s. */
  onUntil(key: string, nowMs: number): number {
    const past_ms = this.of(key).reduce((sum, one) => sum + one.to_ms - one.from_ms, 0);
    return (past_ms + nowMs - (this.#on.get(key) ?? nowMs)) / 1000;
  }

  of(key: string): Opening[] {
    return this.openings.filter((one) => one.key === key);
  }
}

/**
 * Lets a day pass from 8:00; the daemon is killed after each of these times, s, and at its end. One more life, in the
 * dark, ends what was begun. Returns what came of it.
 */
async function day(hours: number, kills_s: readonly number[]) {
  const store = new MemoryControlStore();
  const valves = new Valves();
  const startMs = Date.UTC(2026, 5, 20, 8);
  const endMs = startMs + hours * 3_600_000;
  let nowMs = startMs;
  const cuts: { key: string; at_ms: number }[] = [];
  for (const untilMs of [...kills_s.map((at_s) => startMs + at_s * 1000), endMs]) {
    if (untilMs <= nowMs) continue;
    await live({ store, valves, from_ms: nowMs, until_ms: untilMs, solar_w_m2: 600 });
    cuts.push(...[east, west].filter((key) => valves.isOn(key)).map((key) => ({ key, at_ms: untilMs })));
    nowMs = untilMs + down_s * 1000;
  }
  const co2_s = valves.onUntil(co2, endMs);
  const shots = await live({ store, valves, from_ms: nowMs, until_ms: nowMs + dusk_s * 1000, solar_w_m2: 0 });
  const on_s = (key: string): number => valves.onUntil(key, nowMs + dusk_s * 1000);
  /** Turns that gave more or less than a look and a restart for each time that they were cut. */
  const wrong = [east, west].flatMap((key) =>
    turnsOf(valves.of(key)).filter(({ given_s, from_ms, to_ms }) => {
      const cut = cuts.filter((one) => one.key === key && one.at_ms >= from_ms && one.at_ms <= to_ms).length;
      return Math.abs(given_s - shot_s) > cut * (tick_s + down_s);
    }),
  );
  const turns = turnsOf(valves.of(east)).length;
  return { on_s, co2_s, together: valves.together, cut: cuts.length, shots, turns, wrong };
}

/**
 * One life of a daemon, which ends without any order; its own clock stands still from then on. Returns the shots of the
 * day so far.
 */
async function live(span: {
  store: MemoryControlStore;
  valves: Valves;
  from_ms: number;
  until_ms: number;
  solar_w_m2: number;
}): Promise<number> {
  const { store, valves, from_ms, until_ms, solar_w_m2 } = span;
  // A CO2 sensor that lives says something else each time.
  let spoken = 0;
  const readings = () => ({ indoor_temp: 20, outdoor_solar: solar_w_m2, indoor_co2: 500 + ((spoken += 1) % 7) });
  const clock = new ManualClock(from_ms);
  const connect = async ({ unique_id }: { unique_id: string }) => ({
    write: async (_channel: number, value: OutputValue) => {
      valves.write(unique_id, value, clock.now());
      return { acknowledged: true };
    },
    close: async () => undefined,
  });
  const site = outputsSite({ plan: { facilities: [planned] }, store, connect, clock });
  const { events, outputs, alarms } = site;
  const values = new LiveValues(clock, events);
  const configuration = {
    facility: () => facility,
    place: () => ({ lat: 52, lng: 5, time_zone: 'UTC' }),
    safetyPlan: () => ({ ...emptyPlan, facilities: [planned] }),
  };
  const climates = new Climates({
    clock,
    events,
    live: values,
    outputs,
    store,
    writer: rememberedSamples().writer,
    watchdog: noWatchdog,
    alarms,
    configuration,
  });
  onTestFinished(() => values.stop());
  const read = (): void => {
    const now = readings();
    for (const role of roles)
      values.record({
        device_id: station,
        measurement_id: seriesOf[role],
        channel: 0,
        unit: unitOf[role],
        value: now[role],
        quality: 'good',
        time_ms: clock.now(),
      });
  };
  read();
  await site.start([pump, east, west, co2].map((one) => simulatedOutput(one, 'heater')));
  await climates.activate(program);
  while (clock.now() < until_ms) {
    read();
    await clock.advance(Math.min(tick_s * 1000, until_ms - clock.now()));
  }
  return climates.get(own)?.live().sums?.shots ?? 0;
}

/** A kill in the last seconds of a turn, whose rest is shorter than a look. */
const cutLate = [10, 11, 12, 13, 14, 342, 4861, 6786];

it(
  'gives what is due once, neither twice nor forgotten, whenever the daemon is killed',
  async () => {
    const [hours, kills] = isLong ? [10, 200] : [2, 8];
    const whole = await day(hours, []);
    // A shot each 100 J/cm2: 1,667 s of 600 W/m2, seen every 30 s.
    expect(whole.shots).toBe(isLong ? 21 : 4);
    for (const key of [east, west]) expect(whole.on_s(key)).toBe(whole.shots * shot_s);
    expect(whole.on_s(pump)).toBe(2 * whole.shots * shot_s);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 10, max: hours * 3600 - 400 }), { minLength: kills, maxLength: kills }),
        async (moments) => {
          const torn = await day(
            hours,
            moments.sort((a, b) => a - b),
          );
          expect(Math.abs(torn.shots - whole.shots)).toBeLessThanOrEqual(1 + Math.floor((kills * down_s) / 1667));
          // A turn that was cut is off by no more than one look for each cut; all others are exact.
          expect([torn.turns, torn.wrong]).toEqual([torn.shots, []]);
          expect(torn.together).toBe(0);
          // CO2 is always wanted: it is missed for no longer than until the next look of each life.
          const missed_s = hours * 3600 - torn.co2_s;
          expect(missed_s).toBeLessThanOrEqual((kills + 2) * (2 * tick_s + down_s));
          const astray_s = Math.abs(torn.on_s(pump) - torn.on_s(east) - torn.on_s(west));
          expect(astray_s).toBeLessThanOrEqual(torn.cut * (tick_s + down_s));
        },
      ),
      { numRuns: isLong ? 1 : 6, examples: isLong ? [] : [[cutLate]] },
    );
  },
  isLong ? 3_600_000 : 600_000,
);

import { beforeAll, describe, expect, it } from 'vitest';
import type { LiveState } from '../../../server/contract/daemon.ts';
import { localOf, momentOf, Week } from '../../support/week.ts';
import { actuator, heatingId, sensor, watering_s, wateringHours } from '../../support/week-site.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
/**
 * The days of the long tier, one trouble each; the quick tier has all troubles in one day, that of the clock change.
 */
const days = isLong
  ? ['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31', '2026-04-01', '2026-04-02', '2026-04-03']
  : ['2026-03-29'];
const on = (day: number, time: string): string => `${days[isLong ? day : 0]}T${time}`;

const lie = { from: on(0, '00:00'), to: on(0, '03:30') };
const deadNight = { from: on(1, '04:00'), to: on(1, '04:40') };
const cut = { from: on(2, '08:01:30'), to: on(2, '08:20') };
const longCut = { from: on(3, '10:50'), to: on(3, '11:30') };
const restart = on(4, '14:01');
const storm = { from: on(1, '14:30'), to: on(1, '15:00') };
const deadDay = { from: on(6, '15:30'), to: on(6, '16:00') };
const end = on(6, '17:30');

const minutes = 60_000;
type Time = { from: string; to: string };
/** A time, later by as many minutes at its begin and at its end. */
const span = ({ from, to }: Time, after_min = 0, longer_min = 0): [number, number] => [
  momentOf(from) + after_min * minutes,
  momentOf(to) + longer_min * minutes,
];

describe('a house that is driven by every kind of controller', () => {
  let week: Week;
  /** What is on and does not say why. */
  const unexplained: string[] = [];
  /** What the daemon tells when the heater has lied for hours. */
  let told: LiveState;

  /** Lets time pass, and looks each hour whether everything that is on says why. */
  async function until(local: string): Promise<void> {
    const at = momentOf(local);
    while (week.now() < at) {
      await week.until(Math.min(at, week.now() + 60 * minutes));
      const { outputs } = await week.live();
      for (const { output_id, source, state, cause } of outputs)
        if (source === 'automatic' && state !== 'off' && cause === null)
          unexplained.push(`${output_id} ${localOf(week.now())}`);
    }
  }

  beforeAll(async () => {
    week = new Week(momentOf(on(0, '00:00')) - 300 * minutes);
    await week.start();
    const troubles: [at: string, happens: () => void | Promise<void>][] = [
      [lie.from, () => week.set({ output: actuator('heater', { kind: 'weak', share: 0 }) })],
      [
        lie.to,
        async () => {
          told = await week.live();
          await week.set({ output: actuator('heater') });
        },
      ],
      ...[deadNight, deadDay].flatMap(({ from, to }): typeof troubles => [
        [from, () => week.set({ input: sensor('indoor', { kind: 'silent' }) })],
        [to, () => week.set({ input: sensor('indoor') })],
      ]),
      ...[cut, longCut].map(({ from, to }): (typeof troubles)[number] => [from, () => week.cutPower(to)]),
      [restart, () => week.restart(60)],
      [storm.from, () => void (week.equipment.wind_m_s = 22)],
      [storm.to, () => void (week.equipment.wind_m_s = null)],
    ];
    for (const [at, happens] of troubles.sort(([a], [b]) => momentOf(a) - momentOf(b))) {
      await until(at);
      await happens();
    }
    await until(end);
    await week.stop();
  }, 30 * minutes);

  it('waters four times a day, and never twice for one of them', () => {
    const expected = days.flatMap((day) => wateringHours.map((at) => `${day}T${at}:00`));
    const late = expected.map((at) => (at === on(3, '11:00:00') ? longCut.to : at));
    const starts = week.equipment.spans('valve').map(([from]) => localOf(from).slice(0, 16));
    expect(starts).toEqual(late.map((at) => at.slice(0, 16)).filter((at) => at < end));
    for (const [from, to] of week.equipment.spans('valve')) {
      const begun = localOf(from);
      const given_s = begun.startsWith(on(2, '08:0')) ? 90 : begun.startsWith(on(4, '14:0')) ? 60 : watering_s;
      expect((to - from) / 1000, begun).toBeCloseTo(given_s, 0);
    }
  });

  it('has light at its hours, that of the hour which the clock leaves out too', () => {
    for (const day of days) {
      const morning: Time = { from: `${day}T04:30`, to: `${day}T07:30` };
      expect(week.equipment.on_s('lighting', span(morning))).toBeCloseTo(7_200, -1);
      const night: Time = { from: `${day}T01:45`, to: `${day}T03:30` };
      expect(week.equipment.on_s('lighting', span(night))).toBeCloseTo(600, -1);
    }
  });

  it('has its shade shut from sunset to sunrise', () => {
    for (const day of days) {
      expect(week.equipment.position('shade', momentOf(`${day}T01:00`))).toBe(1);
      expect(week.equipment.position('shade', momentOf(`${day}T12:30`))).toBe(0);
    }
  });

  it('doses CO2 by day and not out of the open vent', () => {
    for (const day of days) {
      expect(week.equipment.on_s('co2', span({ from: `${day}T00:00`, to: `${day}T06:30` }))).toBe(0);
      expect(week.equipment.on_s('co2', span({ from: `${day}T08:30`, to: `${day}T17:00` }))).toBeGreaterThan(600);
    }
    // A minute passes until the statement looks at the vent again.
    expect(week.equipment.both_s(['co2', 0], ['roof_vent', 0.4])).toBeLessThan(120 * days.length);
  });

  it('is warm without wasting heat out of the window', () => {
    expect(week.equipment.both_s(['heater', 0], ['roof_vent', 0.4])).toBe(0);
    const troubled = [lie, deadNight, cut, longCut].map((time) => span(time, 0, 120));
    const nights = days.map((day) => span({ from: `${day}T00:30`, to: `${day}T08:00` }));
    const calm = week.temperatures.filter(
      ({ at_ms }) => within(nights, at_ms) && !within(troubled, at_ms) && at_ms > momentOf(lie.from),
    );
    expect(calm.length).toBeGreaterThan(100);
    for (const { at_ms, value } of calm) {
      expect(value, localOf(at_ms)).toBeGreaterThan(15);
      expect(value, localOf(at_ms)).toBeLessThan(20);
    }
  });

  it('a heater that lies: it is driven as far as it goes, and no further when it is mended', () => {
    expect(week.equipment.on_s('heater', span(lie, 3))).toBe(0);
    const heating = told.control.find(({ controller_id }) => controller_id === heatingId)?.live;
    expect(heating).toMatchObject({ state: 'running', control: 120, raise: 120 });
    const cold = week.temperatures.filter(({ at_ms }) => within([span(lie)], at_ms)).map(({ value }) => value);
    expect(Math.min(...cold)).toBeLessThan(14);
    const after = week.temperatures.filter(
      ({ at_ms }) => at_ms > momentOf(lie.to) && at_ms < momentOf(lie.to) + 180 * minutes,
    );
    expect(Math.max(...after.map(({ value }) => value))).toBeGreaterThan(15.5);
    expect(Math.max(...after.map(({ value }) => value))).toBeLessThan(19);
  });

  it('a sensor that is dead: all that goes by it is safe, is told, and goes on with its next reading', () => {
    expect(week.equipment.on_s('heater', span(deadNight, -5, -40))).toBeGreaterThan(0);
    expect(week.equipment.on_s('heater', span(deadNight, 3))).toBe(0);
    expect(
      week.equipment.on_s('heater', [momentOf(deadNight.to), momentOf(deadNight.to) + 10 * minutes]),
    ).toBeGreaterThan(0);
    for (const part of ['roof_vent', 'co2', 'fogger'] as const)
      expect(week.equipment.on_s(part, span(deadDay, 4)), part).toBe(0);
    expect(week.alarms).toContain('controller_down indoor');
    for (const name of ['Heating', 'Venting', 'CO2', 'Fog']) expect(week.alarms).toContain(`control_stopped ${name}`);
  });

  it('a storm: the vent is shut within a reading, and opens again only when it was calm for a while', () => {
    expect(week.equipment.position('roof_vent', momentOf(storm.from))).toBeGreaterThan(0);
    expect(week.equipment.on_s('roof_vent', span(storm, 0.6, 5))).toBe(0);
    expect(week.equipment.on_s('roof_vent', [momentOf(storm.to), momentOf(storm.to) + 15 * minutes])).toBeGreaterThan(
      0,
    );
    expect(week.alarms).toContain('safety_gate wind');
  });

  it('a restart in order: the vent goes on where it was', () => {
    const before = week.equipment.position('roof_vent', momentOf(restart) - 1);
    expect(before).toBeGreaterThan(0);
    const after = week.equipment.position('roof_vent', momentOf(restart) + 3 * minutes);
    expect(Math.abs(after - before)).toBeLessThan(0.1);
  });

  it('says of everything that is on why it is', () => {
    expect(unexplained).toEqual([]);
  });
});

function within(spans: readonly (readonly [number, number])[], atMs: number): boolean {
  return spans.some(([from, to]) => atMs >= from && atMs <= to);
}

import { describe, expect, it } from 'vitest';
import { trigger as triggerSchema, type Trigger } from '../../../../server/contract/trigger.ts';
import { TriggerController } from '../../../../server/daemon/controllers/trigger/trigger.ts';
import type { Place } from '../../../../server/domain/solar/sun-day.ts';
import { actingHouse, air, heater, id, lamp, own, place, sensor } from '../../../support/acting-house.ts';

describe('a trigger', () => {
  const made = (given: object): Trigger =>
    triggerSchema.parse({
      unique_id: own,
      name: 'Lamp',
      is_activated: true,
      missed: 'skip',
      actions: [{ unique_id: id(30), name: 'on', kind: 'output', output_id: lamp, state: true, duration_s: 60 }],
      ...given,
    });

  async function running(
    given: object,
    more: { last?: number; curve?: (timeMs: number) => number | null; place?: () => Place } = {},
  ) {
    const site = await actingHouse();
    const due: number[] = [];
    const lines: string[] = [];
    const controller = new TriggerController(made(given), {
      ...site.host,
      place: more.place ?? (() => place),
      curve: () => more.curve,
      log: (line: string) => void lines.push(line),
      last_due_ms: more.last ?? null,
      keepDue: (_id, lastMs) => void due.push(lastMs),
    });
    controller.start();
    const [begun = null] = due.splice(0, more.last === undefined ? 1 : 0);
    await site.clock.advance(10);
    return { ...site, controller, begun, due, lines, state: () => site.outputs.channel(lamp).state() };
  }

  // The clock stands at 15 January 2026, 13:00 in Amsterdam.
  it('acts at its time of the day by the clock of the site, and says why', async () => {
    const { clock, state, controller, due } = await running({ kind: 'time_point', at: '13:10' });
    await clock.advance(599_000);
    expect(state().state).toBe('off');
    await clock.advance(1_000);
    expect(state()).toMatchObject({
      state: 'on',
      actor: 'trigger Lamp',
      reason: 'time of day, 2026-01-15 13:10:00',
    });
    await clock.advance(61_000);
    expect(state().state).toBe('off');
    expect(due).toHaveLength(1);
    expect(controller.live()).toMatchObject({
      next_at: '2026-01-16T12:10:00.000Z',
      last_run: { at: '2026-01-15T12:10:00.000Z', results: [{ name: 'on', kind: 'output', outcome: 'confirmed' }] },
      missed: null,
    });
    await controller.stop();
  });

  it('follows a clock that is set on, and repeats nothing after one that is set back', async () => {
    const { clock, controller, due } = await running({ kind: 'time_point', at: '13:10' });
    clock.setTimeOfDay(Date.UTC(2026, 0, 15, 12, 9, 50));
    await clock.advance(31_000);
    expect(due).toHaveLength(1);
    clock.setTimeOfDay(Date.UTC(2026, 0, 15, 11, 30));
    await clock.advance(3_600_000);
    expect(due).toHaveLength(1);
    await controller.stop();
  });

  it.each([-1, -8_760, 1, 8_760])('keeps its interval when the clock is set by %d hours', async (hours) => {
    const { clock, controller, due } = await running({ kind: 'interval', period_s: 60 });
    await clock.advance(90_000);
    clock.setTimeOfDay(clock.now() + hours * 3_600_000);
    due.length = 0;
    await clock.advance(300_000);
    expect(due.length).toBeGreaterThanOrEqual(4);
    expect(due.length).toBeLessThanOrEqual(6);
    await controller.stop();
  });

  it('searches the calendar again only once it was due, or the site has moved', async () => {
    let reads = 0;
    const counted = (): Place => ({
      ...place,
      get time_zone() {
        reads += 1;
        return place.time_zone;
      },
    });
    const stands = { at: counted() };
    const { clock, controller, due } = await running({ kind: 'time_point', at: '13:30' }, { place: () => stands.at });
    const once = reads;
    await clock.advance(1_700_000);
    expect(reads).toBe(once);
    stands.at = counted();
    await clock.advance(60_000);
    expect(reads).toBeGreaterThan(once);
    await clock.advance(60_000);
    expect(due).toHaveLength(1);
    await controller.stop();
  });

  it.each([
    ['skip', 'off'],
    ['run', 'on'],
  ])('that missed its time is to %s', async (missed, expected) => {
    const last = Date.UTC(2026, 0, 13, 11, 0);
    const { state, lines, controller, due } = await running({ kind: 'time_point', at: '12:00', missed }, { last });
    expect(state().state).toBe(expected);
    expect(lines).toEqual([`trigger Lamp: missed 2 times, the last at 2026-01-15T11:00:00.000Z: ${missed}`]);
    const told = { count: 2, last_at: '2026-01-15T11:00:00.000Z', was_run: missed === 'run' };
    expect(controller.live().missed).toMatchObject(told);
    expect(due).toEqual([Date.UTC(2026, 0, 15, 11, 0)]);
    await controller.stop();
  });

  it('keeps since when it looks: what it misses before it was ever due is missed too', async () => {
    const given = { kind: 'time_point', at: '13:30', missed: 'run' };
    const { clock, begun, controller } = await running(given);
    expect(begun).toBe(clock.now() - 10);
    await controller.stop();
    const next = await running({ ...given, at: '12:30' }, { last: Number(begun) - 3_600_000 });
    expect(next.state()).toMatchObject({
      state: 'on',
      reason: expect.stringContaining('made up for missed runs: 1') as string,
    });
    await next.controller.stop();
  });

  it('has missed nothing of a schedule that it was only now given', async () => {
    const last = Date.UTC(2026, 0, 14, 13, 0);
    const { clock, state, lines, controller } = await running(
      { kind: 'time_point', at: '14:00', missed: 'run' },
      { last },
    );
    await controller.reconfigure(made({ kind: 'time_point', at: '12:00', missed: 'run' }));
    await clock.advance(60_000);
    expect(state().state).toBe('off');
    expect(lines).toEqual([]);
    await controller.stop();
  });

  it('leaves what it switched safe while it cannot see, and says so', async () => {
    const measurement = { device_id: sensor, measurement_id: air, max_age_s: 60 };
    const actions = [{ unique_id: id(30), name: 'on', kind: 'output', output_id: lamp, state: true }];
    const given = { kind: 'edge', measurement, level: 20, direction: 'falling', actions };
    const { clock, read, state, controller } = await running(given);
    await clock.advance(50_000);
    expect(controller.status().state).toBe('running');
    for (const value of [25, 15]) {
      read(value);
      await clock.advance(1_000);
    }
    expect(state().state).toBe('on');
    await clock.advance(62_000);
    expect(state().state).toBe('off');
    expect(controller.status()).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('missing') as string,
    });
    read(15);
    await clock.advance(1_000);
    expect(controller.status().state).toBe('running');
    await controller.stop();
  });

  it('keeps an interval over changed actions, and begins anew with another one', async () => {
    const { clock, due, controller } = await running({ kind: 'interval', period_s: 600 });
    await clock.advance(300_000);
    await controller.reconfigure(made({ kind: 'interval', period_s: 600, actions: [] }));
    await clock.advance(301_000);
    expect(due).toHaveLength(1);
    await controller.reconfigure(made({ kind: 'interval', period_s: 100, actions: [] }));
    const begun = due.pop();
    expect(begun).toBe(clock.now());
    await clock.advance(350_000);
    expect(due).toHaveLength(4);
    await controller.stop();
  });

  it('acts when a measurement passes its level', async () => {
    const measurement = { device_id: sensor, measurement_id: air, max_age_s: 60 };
    const { clock, read, state, controller } = await running({
      kind: 'edge',
      measurement,
      level: 20,
      direction: 'rising',
    });
    for (const value of [25, 15, 21]) {
      read(value);
      await clock.advance(1_000);
    }
    expect(state()).toMatchObject({ state: 'on', reason: '21\u202f°C above 20\u202f°C' });
    await controller.stop();
  });

  it('acts when an output was on for so long, and passes a duty cycle', async () => {
    const { clock, outputs, state, controller } = await running({
      kind: 'output',
      output: { output_id: heater },
      state: 'on',
      for_s: 30,
    });
    await outputs.command({ output_id: heater, state: true, duty_cycle_pct: 50, actor: 'person' });
    await clock.advance(29_000);
    expect(state().state).toBe('off');
    await clock.advance(3_000);
    expect(state().state).toBe('on');
    await controller.stop();
    const second = await running({ kind: 'output_pwm', output: { output_id: heater }, level: 40, direction: 'rising' });
    await second.outputs.command({ output_id: heater, state: true, duty_cycle_pct: 50, actor: 'person' });
    await second.clock.advance(2_000);
    expect(second.state()).toMatchObject({ state: 'on', reason: '50\u202f% above 40\u202f%' });
    await second.controller.stop();
  });

  it('has a duty cycle follow its method, and leaves it safe without one', async () => {
    let duty: number | null = 30;
    const output = { output_id: heater };
    const given = { kind: 'pwm_method', method_id: id(50), output, period_s: 60 };
    const { clock, outputs, controller } = await running(given, { curve: () => duty });
    expect(outputs.channel(heater).state()).toMatchObject({ state: 30, reason: 'curve Day: 30\u202f%' });
    duty = 140;
    await clock.advance(60_000);
    expect(outputs.channel(heater).state().state).toBe(100);
    duty = null;
    await clock.advance(60_000);
    expect(outputs.channel(heater).state().state).toBe('off');
    expect(controller.status().reason).toBe('the method gives no duty cycle');
    await controller.stop();
  });
});

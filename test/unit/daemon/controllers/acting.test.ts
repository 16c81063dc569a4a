import { describe, expect, it } from 'vitest';
import {
  conditional as conditionalSchema,
  conditionalKind,
  type Conditional,
} from '../../../../server/contract/conditional.ts';
import { trigger as triggerSchema, type Trigger } from '../../../../server/contract/trigger.ts';
import type { Output } from '../../../../server/contract/output.ts';
import type { ActionSite } from '../../../../server/daemon/controllers/actions/action-list.ts';
import { ConditionalController } from '../../../../server/daemon/controllers/conditional/conditional.ts';
import { RunningControllers } from '../../../../server/daemon/controllers/running-controllers.ts';
import { functionHandlers } from '../../../../server/daemon/remote/functions.ts';
import { methodTable } from '../../../../server/daemon/remote/handlers.ts';
import type { RemoteCall } from '../../../../server/remote/method.ts';
import { TriggerController } from '../../../../server/daemon/controllers/trigger/trigger.ts';
import type { Place } from '../../../../server/domain/solar/sun-day.ts';
import { LiveValues } from '../../../../server/daemon/events/live-values.ts';
import { noWatchdog, outputsSite } from '../../../support/outputs-site.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [heater, lamp, sensor, air, own] = [id(1), id(2), id(3), id(4), id(9)];
const place = { lat: 51.9, lng: 4.4, time_zone: 'Europe/Amsterdam' };

const outputOf = (unique_id: string, kind: 'switch' | 'dimmer'): Output => ({
  ...{ unique_id, name: unique_id, driver: 'simulated', options: {}, is_activated: true },
  channels: [
    {
      ...{ channel: 0, name: 'main', kind, safe_state: 'off', startup_state: 'safe', shutdown_state: 'safe' },
      ...{ min_off_s: 0, max_on_s: null, current_a: null, flow_ml_s: null, pwm_cycle_s: null, pwm_min_on_s: 0 },
    },
  ],
});

async function house() {
  const site = outputsSite();
  await site.start([outputOf(heater, 'dimmer'), outputOf(lamp, 'switch')]);
  const live = new LiveValues(site.clock, site.events);
  const switched: [string, boolean][] = [];
  const told: [string, unknown][] = [];
  const actions: ActionSite = {
    ...{ outputs: site.outputs, alarms: site.alarms },
    pid: (pidId) => ({
      tell: async (command) => void told.push([pidId, command]),
      loop: { tune: (change) => void told.push([pidId, change]) },
      changed: async () => undefined,
    }),
    activate: async (controllerId, isActive) => {
      switched.push([controllerId, isActive]);
      return [0, 'done'];
    },
  };
  const past: [number, number][] = [];
  const host = {
    ...{ clock: site.clock, outputs: site.outputs, actions, watchdog: noWatchdog, statusChanged: () => undefined },
    conditions: { live, outputs: site.outputs, past: async () => past, isWell: (one: string) => one === own },
    watch: { clock: site.clock, live, outputs: site.outputs },
  };
  const read = (value: number | null): void => {
    const quality = value === null ? 'bad' : 'good';
    const series = { device_id: sensor, measurement_id: air, channel: 0, unit: 'C' };
    live.record({ ...series, value: value ?? 0, quality, time_ms: site.clock.now() });
  };
  return { ...site, host, read, past, switched, told };
}

const rule = (given: Partial<Conditional>): Conditional =>
  conditionalSchema.parse({
    ...{ unique_id: own, name: 'Frost', is_activated: true, period_s: 60, start_offset_s: 0 },
    conditions: [
      { unique_id: id(20), name: 't', kind: 'measurement', device_id: sensor, measurement_id: air, max_age_s: 120 },
    ],
    actions: [
      { unique_id: id(30), name: 'heat', kind: 'output', output_id: heater, state: true, duty_cycle_pct: 10 },
      { unique_id: id(31), name: 'warn', kind: 'alarm', severity: 'warning', text: 'Too cold', raise: true },
      { unique_id: id(32), name: 'rest', kind: 'controller', controller_id: id(40), activate: false },
      { unique_id: id(33), name: 'self', kind: 'controller', controller_id: own, activate: false },
    ],
    statement: 'if (t < 5) { run(heat, (5 - t) * 20); run(warn, t); } else { run(heat, 0); run(warn, false); }',
    ...given,
  });

describe('a conditional function', () => {
  it('commands, warns and says by which numbers, and takes both back', async () => {
    const { clock, host, read, outputs, alarms } = await house();
    const controller = new ConditionalController(rule({}), host);
    read(2);
    controller.start();
    await clock.advance(10);
    const state = outputs.channel(heater).state();
    expect(state).toMatchObject({
      ...{ state: 60, source: 'automatic', actor: 'conditional Frost', reason: 't < 5 (t = 2)' },
      cause: { kind: 'conditional', unique_id: own, name: 'Frost', because: 't < 5 (t = 2)' },
    });
    expect(alarms.list()).toMatchObject([
      { code: 'custom', source_id: own, value: 2, message: 'Too cold: t < 5 (t = 2)' },
    ]);
    read(6);
    await clock.advance(60_000);
    expect(outputs.channel(heater).state()).toMatchObject({ state: 'off', reason: 'not t < 5 (t = 6)' });
    expect(alarms.list().filter(({ is_raised }) => is_raised)).toEqual([]);
    await controller.stop();
  });

  it.each<[string, number | null]>([
    ['absent', null],
    ['too old', 2],
  ])('does nothing by a value that is %s, says where, and goes on with the next', async (_why, value) => {
    const { clock, host, read, outputs } = await house();
    const controller = new ConditionalController(rule({ start_offset_s: 200 }), host);
    if (value !== null) read(value);
    controller.start();
    await clock.advance(200_010);
    expect(controller.status()).toMatchObject({ state: 'failed', reason: 'line 1, column 5: a value is missing' });
    expect(outputs.channel(heater).state().source).toBeNull();
    read(2);
    await clock.advance(60_000);
    expect(controller.status().state).toBe('running');
    expect(outputs.channel(heater).state().state).toBe(60);
    await controller.stop();
  });

  it('never goes by a bad reading, and says what is wrong with a statement that cannot run', async () => {
    const { clock, host, read } = await house();
    const controller = new ConditionalController(rule({}), host);
    read(null);
    controller.start();
    await clock.advance(10);
    expect(controller.status().reason).toContain('a value is missing');
    await controller.reconfigure(rule({ statement: 'run(heat);\nrun(cool);' }));
    expect(controller.status().reason).toBe('line 2, column 5: there is no action cool, only heat, warn, rest, self');
    await controller.stop();
  });

  it('reads the past, outputs and controllers, and switches others but not itself', async () => {
    const { clock, host, past, switched, outputs } = await house();
    past.push([1, 4], [2, 8]);
    const series = { device_id: sensor, measurement_id: air, over_s: 60 };
    const conditions: Conditional['conditions'] = [
      { unique_id: id(21), name: 'avg', kind: 'past', ...series, take: 'mean' },
      { unique_id: id(22), name: 'all', kind: 'dict', ...series },
      { unique_id: id(23), name: 'lit', kind: 'output_state', output_id: lamp },
      { unique_id: id(24), name: 'duty', kind: 'output_duty', output_id: heater },
      { unique_id: id(25), name: 'lit_s', kind: 'output_on_s', output_id: lamp },
      { unique_id: id(26), name: 'well', kind: 'controller', controller_id: own },
    ];
    await outputs.command({ output_id: lamp, state: true, actor: 'person' });
    await clock.advance(5_000);
    const statement = 'run(heat, avg + most(all) + duty + lit_s); if (lit && well) { run(rest); } run(self);';
    const controller = new ConditionalController(rule({ conditions, statement }), host);
    controller.start();
    await clock.advance(10);
    expect(outputs.channel(heater).state().state).toBeCloseTo(6 + 8 + 0 + 5, 0);
    expect(switched).toEqual([[id(40), false]]);
    expect(controller.status().reason).toBe('self: a controller cannot switch itself');
    expect(await controller.valueOf(id(21))).toBe(6);
    await controller.stop();
  });

  it('tells PIDs, and gives them setpoints and methods', async () => {
    const { clock, host, told } = await house();
    const [pid_id, method_id] = [id(60), id(61)];
    const actions = conditionalSchema.shape.actions.parse([
      { unique_id: id(36), name: 'hold', kind: 'pid', pid_id, command: 'hold' },
      { unique_id: id(37), name: 'warm', kind: 'setpoint', pid_id, setpoint: 21 },
      { unique_id: id(38), name: 'follow', kind: 'method', pid_id, method_id },
    ]);
    const statement = 'run(hold); run(warm); run(warm, 19 + 0.5); run(follow);';
    const controller = new ConditionalController(rule({ conditions: [], actions, statement }), host);
    controller.start();
    await clock.advance(10);
    expect(told).toEqual([
      [pid_id, 'hold'],
      [pid_id, { setpoint: 21 }],
      [pid_id, { setpoint: 19.5 }],
      [pid_id, { method_id }],
    ]);
    expect(conditionalKind.stored?.references(rule({ conditions: [], actions, statement }))).toHaveLength(4);
    await controller.stop();
  });

  it('leaves what it drove safe, but not what somebody else commanded since', async () => {
    const { clock, host, read, outputs } = await house();
    const controller = new ConditionalController(rule({}), host);
    read(2);
    controller.start();
    await clock.advance(10);
    await controller.stop();
    await controller.letGo();
    expect(outputs.channel(heater).state().state).toBe('off');
    const other = new ConditionalController(rule({}), host);
    other.start();
    await clock.advance(10);
    await outputs.command({ output_id: heater, state: true, duty_cycle_pct: 33, source: 'automatic', actor: 'pyro' });
    await other.stop();
    await other.letGo();
    expect(outputs.channel(heater).state().state).toBe(33);
  });
});

describe('a trigger', () => {
  const made = (given: object): Trigger =>
    triggerSchema.parse({
      ...{ unique_id: own, name: 'Lamp', is_activated: true, missed: 'skip' },
      actions: [{ unique_id: id(30), name: 'on', kind: 'output', output_id: lamp, state: true, duration_s: 60 }],
      ...given,
    });

  async function running(
    given: object,
    more: { last?: number; curve?: (time_ms: number) => number | null; place?: () => Place } = {},
  ) {
    const site = await house();
    const due: number[] = [];
    const lines: string[] = [];
    const controller = new TriggerController(made(given), {
      ...site.host,
      ...{ place: more.place ?? (() => place), curve: () => more.curve, log: (line: string) => void lines.push(line) },
      last_due_ms: more.last ?? null,
      keepDue: (_id, last_ms) => void due.push(last_ms),
    });
    controller.start();
    await site.clock.advance(10);
    return { ...site, controller, due, lines, state: () => site.outputs.channel(lamp).state() };
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
      reason: 'time_point 2026-01-15T12:10:00.000Z',
    });
    await clock.advance(61_000);
    expect(state().state).toBe('off');
    expect(due).toHaveLength(1);
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
    expect(due).toEqual([Date.UTC(2026, 0, 15, 11, 0)]);
    await controller.stop();
  });

  it('keeps an interval over changed actions, and begins anew with another one', async () => {
    const { clock, due, controller } = await running({ kind: 'interval', period_s: 600 });
    await clock.advance(300_000);
    await controller.reconfigure(made({ kind: 'interval', period_s: 600, actions: [] }));
    await clock.advance(301_000);
    expect(due).toHaveLength(1);
    await controller.reconfigure(made({ kind: 'interval', period_s: 100, actions: [] }));
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
    expect(state()).toMatchObject({ state: 'on', reason: '21 above 20' });
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
    expect(second.state()).toMatchObject({ state: 'on', reason: '50 above 40' });
    await second.controller.stop();
  });

  it('has a duty cycle follow its method, and leaves it safe without one', async () => {
    let duty: number | null = 30;
    const output = { output_id: heater };
    const given = { kind: 'pwm_method', method_id: id(50), output, period_s: 60 };
    const { clock, outputs, controller } = await running(given, { curve: () => duty });
    expect(outputs.channel(heater).state()).toMatchObject({ state: 30, reason: 'method 30 %' });
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

describe('programs', () => {
  async function called() {
    const { clock, host, read, past, events, outputs, store } = await house();
    const status = (): void => undefined;
    const conditionals = new RunningControllers(
      { events, store },
      (one: Conditional) => new ConditionalController(one, host),
    );
    const triggers = new RunningControllers(
      { events, store },
      (one: Trigger) =>
        new TriggerController(one, {
          ...host,
          ...{ place: () => place, curve: () => undefined, last_due_ms: null, keepDue: status, log: status },
        }),
    );
    const series = { device_id: sensor, measurement_id: air, over_s: 60 };
    const conditions: Conditional['conditions'] = [
      { unique_id: id(20), name: 't', kind: 'measurement', device_id: sensor, measurement_id: air, max_age_s: 120 },
      { unique_id: id(22), name: 'all', kind: 'dict', ...series },
    ];
    await conditionals.activate(rule({ conditions, statement: '' }));
    await triggers.activate(
      triggerSchema.parse({
        ...{ unique_id: id(8), name: 'Lamp', is_activated: true, missed: 'skip', kind: 'interval', period_s: 3600 },
        actions: [{ unique_id: id(35), name: 'on', kind: 'output', output_id: lamp, state: true }],
      }),
    );
    const refreshed: string[] = [];
    const activation = {
      require: status,
      refresh: async (one: string): Promise<[number, string]> => {
        refreshed.push(one);
        return [0, ''];
      },
    };
    const methods = methodTable(
      functionHandlers({ activation, conditionals, triggers, functions: { get: () => undefined } }),
    );
    const ask = (name: string, args: object) =>
      Promise.resolve(methods[name]?.handler({ debug: false, value: {}, message: '', ...args }, {} as RemoteCall));
    await clock.advance(10);
    return { ask, read, past, outputs, refreshed, end: () => Promise.all([conditionals.stop(), triggers.stop()]) };
  }

  it('read conditions, run one action or all of them, and have settings read anew', async () => {
    const { ask, read, past, outputs, refreshed, end } = await called();
    expect(await ask('get_condition_measurement', { condition_id: id(20) })).toBeNull();
    expect(await ask('get_condition_measurement_dict', { condition_id: id(22) })).toBeNull();
    read(18.5);
    past.push([1_000, 4], [2_500, 8]);
    expect(await ask('get_condition_measurement', { condition_id: id(20) })).toBe(18.5);
    expect(await ask('get_condition_measurement_dict', { condition_id: id(22) })).toEqual([
      [1, 4],
      [2.5, 8],
    ]);
    expect(await ask('trigger_action', { action_id: id(30), value: { value: 25 } })).toMatch(/^confirmed/);
    expect(outputs.channel(heater).state()).toMatchObject({ state: 25, reason: 'asked for by a program' });
    expect(await ask('trigger_all_actions', { function_id: id(8), message: 'by hand' })).toMatch(/^on: confirmed/);
    expect(outputs.channel(lamp).state()).toMatchObject({ state: 'on', reason: 'by hand' });
    expect(await ask('refresh_daemon_trigger_settings', { unique_id: id(8) })).toBe('success');
    expect(await ask('refresh_daemon_conditional_settings', { unique_id: own })).toBe('success');
    expect(refreshed).toEqual([id(8), own]);
    await expect(ask('trigger_action', { action_id: id(99) })).rejects.toMatchObject({ code: 'not_found' });
    await expect(ask('trigger_all_actions', { function_id: id(99) })).rejects.toMatchObject({ code: 'not_active' });
    await expect(ask('get_condition_measurement', { condition_id: id(99) })).rejects.toMatchObject({
      code: 'not_found',
    });
    await end();
  });
});

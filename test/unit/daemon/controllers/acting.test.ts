import { describe, expect, it } from 'vitest';
import { cause } from '../../../../server/contract/cause.ts';
import {
  conditional as conditionalSchema,
  conditionalKind,
  type Conditional,
} from '../../../../server/contract/conditional.ts';
import { trigger as triggerSchema, type Trigger } from '../../../../server/contract/trigger.ts';
import { ConditionalController } from '../../../../server/daemon/controllers/conditional/conditional.ts';
import { RunningControllers } from '../../../../server/daemon/controllers/running-controllers.ts';
import { functionHandlers } from '../../../../server/daemon/remote/functions.ts';
import { methodTable } from '../../../../server/daemon/remote/handlers.ts';
import type { RemoteCall } from '../../../../server/remote/method.ts';
import { TriggerController } from '../../../../server/daemon/controllers/trigger/trigger.ts';
import { actingHouse, air, heater, id, lamp, own, place, sensor } from '../../../support/acting-house.ts';

const rule = (given: Partial<Conditional>): Conditional =>
  conditionalSchema.parse({
    unique_id: own,
    name: 'Frost',
    is_activated: true,
    period_s: 60,
    start_offset_s: 0,
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
  it('says it in the language of the site where people read it, and in English on the wire', async () => {
    const { host, clock, outputs, alarms, read } = await actingHouse();
    const reader = () => ({ language: 'ko' as const, time_zone: 'Asia/Seoul' });
    const statement = 'if (t >= 5) {} else { run(heat); run(warn); }';
    const controller = new ConditionalController(rule({ statement }), { ...host, reader });
    read(2);
    controller.start();
    await clock.advance(10);
    expect(outputs.channel(heater).state().cause?.because).toBe('not t >= 5 (t = 2\u202f°C)');
    expect(alarms.list()).toMatchObject([{ message: 'Too cold: 조건이 거짓: t >= 5 (t = 2\u202f°C)' }]);
    await controller.stop();
  });

  it('commands, warns and says by which numbers, and takes both back', async () => {
    const { clock, host, read, outputs, alarms } = await actingHouse();
    const controller = new ConditionalController(rule({}), host);
    read(2);
    controller.start();
    await clock.advance(10);
    const state = outputs.channel(heater).state();
    expect(state).toMatchObject({
      state: 60,
      source: 'automatic',
      actor: 'conditional Frost',
      reason: 't < 5 (t = 2\u202f°C)',
      cause: {
        kind: 'conditional',
        unique_id: own,
        name: 'Frost',
        because: 't < 5 (t = 2\u202f°C)',
        reason: {
          code: 'condition',
          facts: { condition: { text: 't < 5' }, readings: { readings: [{ name: 't', value: 2, unit: 'C' }] } },
        },
      },
    });
    expect(cause.safeParse(state.cause).success).toBe(true);
    expect(alarms.list()).toMatchObject([
      { code: 'custom', source_id: own, value: 2, message: 'Too cold: t < 5 (t = 2\u202f°C)' },
    ]);
    read(6);
    await clock.advance(60_000);
    expect(outputs.channel(heater).state()).toMatchObject({ state: 'off', reason: 'not t < 5 (t = 6\u202f°C)' });
    expect(alarms.list().filter(({ is_raised }) => is_raised)).toEqual([]);
    await controller.stop();
  });

  it.each([-1, -8_760, 1, 8_760])('looks at its period when the clock is set by %d hours', async (hours) => {
    const { clock, host, read, outputs } = await actingHouse();
    const controller = new ConditionalController(rule({}), host);
    controller.start();
    clock.setTimeOfDay(clock.now() + hours * 3_600_000);
    for (const [value, state] of [
      [2, 60],
      [6, 'off'],
      [4, 20],
    ] as const) {
      read(value);
      await clock.advance(60_000);
      expect(outputs.channel(heater).state().state).toBe(state);
    }
    await clock.advance(180_000);
    expect(controller.status().reason).toContain('a value is missing'); // too old, whatever the clock says
    await controller.stop();
  });

  it('takes a division by zero for a missing value, says where it goes by it, does nothing, and goes on with the next', async () => {
    const { clock, host, read, outputs } = await actingHouse();
    const settings = rule({ statement: 'let share = 60 / (t - 2);\nrun(heat, share);' });
    const controller = new ConditionalController(settings, host);
    read(2);
    controller.start();
    await clock.advance(10);
    expect(controller.status()).toMatchObject({ state: 'failed', reason: 'line 2, column 11: a value is missing' });
    expect(outputs.channel(heater).state().source).toBeNull();
    read(4);
    await clock.advance(60_000);
    expect(controller.status().state).toBe('running');
    expect(outputs.channel(heater).state().state).toBe(30);
    await controller.stop();
  });

  it('says which output it misses, and runs its other actions', async () => {
    const { clock, host, read, alarms } = await actingHouse();
    const { actions } = rule({});
    const [heat, ...others] = actions;
    const lost = { ...heat, output_id: id(77) } as (typeof actions)[number]; // of the same kind
    const controller = new ConditionalController(rule({ actions: [lost, ...others] }), host);
    read(2);
    controller.start();
    await clock.advance(10);
    expect(controller.status().reason).toContain(id(77));
    expect(alarms.list()).toMatchObject([{ code: 'custom', source_id: own }]);
    await controller.stop();
  });

  it.each<[string, number | null]>([
    ['absent', null],
    ['too old', 2],
  ])('does nothing by a value that is %s, says where, and goes on with the next', async (_why, value) => {
    const { clock, host, read, outputs } = await actingHouse();
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
    const { clock, host, read } = await actingHouse();
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
    const { clock, host, past, switched, outputs } = await actingHouse();
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
    const { clock, host, told } = await actingHouse();
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
    const messages = controller.live().last_run?.results.map(({ message }) => message);
    expect(messages).toEqual(['hold', 'setpoint 21 C', 'setpoint 19.5 C', `method ${method_id}`]);
    expect(conditionalKind.stored?.references(rule({ conditions: [], actions, statement }))).toHaveLength(4);
    await controller.stop();
  });

  it('tells functions what their kinds declare, and never itself', async () => {
    const { clock, host, told } = await actingHouse();
    const actions = conditionalSchema.shape.actions.parse([
      { unique_id: id(36), name: 'look', kind: 'command', function_id: id(53), command: 'look' },
      { unique_id: id(37), name: 'anew', kind: 'command', function_id: id(54), command: 'reset' },
      { unique_id: id(38), name: 'self', kind: 'command', function_id: own, command: 'look' },
    ]);
    const settings = rule({ conditions: [], actions, statement: 'run(look); run(anew); run(self);' });
    const controller = new ConditionalController(settings, host);
    controller.start();
    await clock.advance(10);
    expect(told).toEqual([
      [id(53), 'look'],
      [id(54), 'reset'],
    ]);
    expect(controller.live().last_run?.results.map(({ outcome }) => outcome)).toEqual([
      'confirmed',
      'failed',
      'blocked',
    ]);
    const named = conditionalKind.stored?.references(settings) ?? [];
    expect(named[0]).toMatchObject({ path: 'actions[0].function_id', kind: 'function' });
    await controller.stop();
  });

  it('hands notes and messages over with their cause, so many a minute, and tells displays', async () => {
    const { clock, host, told, read, events } = await actingHouse();
    const target_id = id(50);
    const actions = conditionalSchema.shape.actions.parse([
      { unique_id: id(40), name: 'log', kind: 'note', text: 'It is {value} C: {because}', category: 'frost' },
      { unique_id: id(41), name: 'mail', kind: 'message', target_id, text: 'Cold', keep_s: 60 },
      { unique_id: id(42), name: 'publish', kind: 'mqtt', target_id, topic: 'house/1', payload: '{value}' },
      { unique_id: id(43), name: 'call', kind: 'webhook', target_id },
      { unique_id: id(44), name: 'flash', kind: 'lcd', lcd_id: id(52), does: 'flash_on' },
      { unique_id: id(45), name: 'red', kind: 'lcd', lcd_id: id(51), does: 'color', color: '#ff0000' },
    ]);
    const statement = 'if (t < 5) { run(log, t); run(mail); run(publish, 3); run(call); run(flash, false); run(red); }';
    const controller = new ConditionalController(rule({ actions, statement }), host);
    read(2);
    controller.start();
    await clock.advance(10);
    const errands = () => events.recent(1e9).flatMap((one) => (one.kind === 'errand' ? [one] : []));
    const at = clock.now() - 10;
    const cause = { kind: 'conditional', unique_id: own, name: 'Frost', because: 't < 5 (t = 2\u202f°C)' };
    expect(errands()).toMatchObject([
      {
        action: 'log',
        cause,
        value: 2,
        task: { kind: 'note', text: 'It is 2 C: t < 5 (t = 2\u202f°C)', category: 'frost' },
      },
      {
        action: 'mail',
        task: { kind: 'message', target_id, text: 'Cold' },
        ends_at: new Date(at + 60_000).toISOString(),
      },
      { action: 'publish', task: { kind: 'mqtt', topic: 'house/1', payload: '3' } },
      { action: 'call', task: { kind: 'webhook', text: null }, ends_at: new Date(at + 300_000).toISOString() },
    ]);
    expect(told).toEqual([
      [id(52), { flash: false }],
      [id(51), { color: '#ff0000' }],
    ]);
    expect(controller.status().reason).toBe('red: it is dark');
    const again = () =>
      Promise.all(actions.slice(1, 2).map((one) => controller.acting.act(one, { code: 'each_run', facts: {} })));
    for (let run = 0; run < 30; run += 1) await again();
    expect(errands()).toHaveLength(30);
    expect(await again()).toMatchObject([{ outcome: 'blocked' }]);
    await clock.advance(2_000);
    expect(await again()).toMatchObject([{ outcome: 'pending' }]);
    await controller.stop();
  });

  it('leaves what it drove safe, but not what somebody else commanded since', async () => {
    const { clock, host, read, outputs } = await actingHouse();
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

describe('a conditional function that cannot go on', () => {
  async function heating(given: Partial<Conditional> = {}) {
    const one = await actingHouse();
    const controller = new ConditionalController(rule(given), one.host);
    one.read(2);
    controller.start();
    await one.clock.advance(10);
    const state = () => one.outputs.channel(heater).state();
    expect(state().state).toBe(60);
    return { ...one, controller, state };
  }

  it('leaves safe what it switched on, and switches it again with the next reading', async () => {
    const { clock, read, state, controller } = await heating();
    await clock.advance(180_000);
    expect(state().state).toBe('off');
    read(2);
    await clock.advance(60_000);
    expect(state().state).toBe(60);
    await controller.stop();
  });

  it('keeps what its statement runs before it stops, and what it says of a missing value itself', async () => {
    for (const statement of ['run(heat, 30); if (t < 5) run(heat, 60);', 'run(heat, t == missing ? 30 : 60);']) {
      const { clock, state, controller } = await heating({ statement });
      await clock.advance(180_000);
      expect(state().state).toBe(30);
      await controller.stop();
    }
  });

  it.each([
    ['a statement with a fault', { statement: 'if (t <) run(heat);' }],
    ['another action', { statement: 'run(warn);', actions: rule({}).actions.slice(1) }],
  ])('leaves safe what it can no longer switch: %s', async (_what, given) => {
    const { state, controller } = await heating();
    await controller.reconfigure(rule(given));
    expect(state().state).toBe('off');
    await controller.stop();
  });

  it('leaves safe what it switched under a former name, and what waits below a hand', async () => {
    const renamed = await heating();
    await renamed.controller.reconfigure(rule({ name: 'Ice' }));
    await renamed.controller.stop();
    await renamed.controller.letGo();
    expect(renamed.state().state).toBe('off');
    const { clock, outputs, state, controller } = await heating();
    const override_until = clock.now() + 600_000;
    await outputs.command({ output_id: heater, state: true, duty_cycle_pct: 10, actor: 'person', override_until });
    await controller.stop();
    await controller.letGo();
    expect(state().state).toBe(10);
    await clock.advance(601_000);
    expect(state().state).toBe('off');
  });
});

describe('programs', () => {
  async function called() {
    const { clock, host, read, past, events, outputs, store } = await actingHouse();
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
          place: () => place,
          curve: () => undefined,
          last_due_ms: null,
          keepDue: status,
          log: status,
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
        unique_id: id(8),
        name: 'Lamp',
        is_activated: true,
        missed: 'skip',
        kind: 'interval',
        period_s: 3600,
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
      Promise.resolve(
        methods[name]?.handler({ debug: false, value: {}, message: '', actor: 'pyro', ...args }, {} as RemoteCall),
      );
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
    expect(await ask('trigger_action', { action_id: id(30), value: { value: 25 } })).toMatchObject({
      name: 'heat',
      outcome: 'confirmed',
    });
    expect(outputs.channel(heater).state()).toMatchObject({ state: 25, reason: 'requested by a program' });
    expect(await ask('trigger_all_actions', { function_id: id(8), message: 'by hand' })).toMatchObject([
      { name: 'on', kind: 'output', outcome: 'confirmed' },
    ]);
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

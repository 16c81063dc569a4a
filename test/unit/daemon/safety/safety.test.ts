import { describe, expect, it } from 'vitest';
import { defaultAlarmLimits } from '../../../../server/contract/alarm-limits.ts';
import type { OutputChannel } from '../../../../server/contract/output.ts';
import type { PlanFacility } from '../../../../server/daemon/safety/plan.ts';
import { heaterId, simulatedOutput, ventId } from '../../../support/daemon-site.ts';
import { settled } from '../../../support/manual-clock.ts';
import { MemoryControlStore } from '../../../support/output-bench.ts';
import { outputsSite } from '../../../support/outputs-site.ts';

const mast = { device_id: 'weather', measurement_id: 'wind' };
const gauge = { device_id: 'weather', measurement_id: 'rain' };
const air = { device_id: 'indoor', measurement_id: 'air' };
const house: PlanFacility = {
  unique_id: 'house',
  name: 'House',
  sensors: [
    { role: 'outdoor_wind', name: 'mast', ...mast, weight: 1, stale_after_s: 900 },
    { role: 'rain', name: 'gauge', ...gauge, weight: 1, stale_after_s: 900 },
    { role: 'indoor_temp', name: 'thermometer', ...air, weight: 1, stale_after_s: 900 },
  ],
  actuators: [
    { role: 'heater', output_id: heaterId, channel: 0 },
    { role: 'roof_vent', output_id: ventId, channel: 0 },
  ],
};
const plan = { facilities: [house], limits: { ...defaultAlarmLimits, wind_m_s: 10, rain: 0 } };

async function runningSite(heater: Partial<OutputChannel> = {}, options: Parameters<typeof outputsSite>[0] = {}) {
  const site = outputsSite({ plan, ...options });
  await site.start([simulatedOutput(heaterId, 'heater', heater), simulatedOutput(ventId, 'side_vent')]);
  const open = (source: 'manual' | 'automatic' = 'automatic') =>
    site.outputs.command({ output_id: ventId, state: true, duty_cycle_pct: 40, source, actor: 'kim' });
  const heat = (source: 'manual' | 'automatic' = 'automatic', more = {}) =>
    site.outputs.command({ output_id: heaterId, state: true, source, actor: 'kim', ...more });
  const states = () => [site.stateOf(heaterId), site.stateOf(ventId)];
  return { ...site, open, heat, states };
}

describe('the limits of the site', () => {
  it.each([
    ['wind closes vents', { ...mast, value: 10.1 }, ['on', 'off'], 'wind'],
    ['rain closes vents', { ...gauge, value: 0.2 }, ['on', 'off'], 'rain'],
    ['frost closes vents', { ...air, value: 1.9 }, ['on', 'off'], 'frost'],
    ['heat stops heaters', { ...air, value: 42.5 }, ['off', 40], 'over_temperature'],
    ['what is within them moves nothing', { ...mast, value: 10 }, ['on', 40], undefined],
  ] as const)('%s, whoever asked for them', async (_, reading, states, rule) => {
    const site = await runningSite();
    await site.open('manual');
    await site.heat();
    site.read(reading);
    await settled();
    expect(site.states()).toEqual(states);
    const again = await (states[1] === 'off' ? site.open('manual') : site.heat());
    expect([again.outcome, again.code]).toEqual(rule === undefined ? ['confirmed', undefined] : ['blocked', rule]);
  });

  it('are crossed by good readings alone', async () => {
    const site = await runningSite();
    await site.open();
    site.read({ ...mast, value: 30, quality: 'suspect' });
    site.read({ ...mast, value: null });
    await settled();
    expect(site.stateOf(ventId)).toBe(40);
  });

  it('let go only when the wind has stayed down for five minutes, and then what waits takes effect', async () => {
    const site = await runningSite();
    await site.open();
    site.read({ ...mast, value: 14 });
    await settled();
    expect(site.outputs.channel(ventId).state()).toMatchObject({
      state: 'off',
      source: 'safety',
      wanted: 40,
      reason: 'the wind is above the limit of 10 m/s',
    });
    site.read({ ...mast, value: 8.9 });
    await site.clock.advance(200_000);
    site.read({ ...mast, value: 9.5 }); // not far enough back: it counts anew
    await site.clock.advance(1_000);
    site.read({ ...mast, value: 5 });
    await site.clock.advance(299_000);
    expect(site.stateOf(ventId)).toBe('off');
    await site.clock.advance(2_000);
    expect(site.stateOf(ventId)).toBe(40);
  });

  it('hold on when the sensor falls silent in the storm', async () => {
    const site = await runningSite();
    await site.open('manual');
    site.read({ ...mast, value: 14 });
    await site.clock.advance(3_600_000);
    expect(site.stateOf(ventId)).toBe('off');
  });

  it('take changed settings and bindings within a second', async () => {
    const site = await runningSite();
    await site.open();
    site.read({ ...mast, value: 9 });
    site.replan({ limits: { ...plan.limits, wind_m_s: 8 } });
    await settled();
    expect(site.stateOf(ventId)).toBe('off');
    site.replan({ limits: { ...plan.limits, wind_m_s: null } });
    await settled();
    expect(site.stateOf(ventId)).toBe(40);
  });

  it('that are changed tell their present numbers at once, and let go where the reading is within them', async () => {
    const site = await runningSite();
    const told: unknown[] = [];
    site.events.subscribe((event) => {
      if (event.kind === 'output') told.push(event.held_by?.limit);
    });
    await site.open();
    site.read({ ...mast, value: 14 });
    await settled();
    site.replan({ limits: { ...plan.limits, wind_m_s: 12 } });
    await settled();
    expect(site.outputs.channel(ventId).state()).toMatchObject({
      state: 'off',
      reason: 'the wind is above the limit of 12 m/s',
      held_by: { limit: 12, unit: 'm/s' },
    });
    expect(told.at(-1)).toBe(12);
    site.replan({ limits: { ...plan.limits, wind_m_s: 14.5 } });
    await settled();
    expect(site.stateOf(ventId)).toBe(40);
  });

  it('that were saved a moment ago hold for the next command already', async () => {
    const site = await runningSite();
    site.read({ ...mast, value: 9 });
    site.save({ limits: { ...plan.limits, wind_m_s: 8 } });
    expect(await site.open('manual')).toMatchObject({
      outcome: 'blocked',
      code: 'wind',
      message: 'the wind is above the limit of 8 m/s',
    });
    site.save({ limits: { ...plan.limits, wind_m_s: 12 } });
    expect(await site.open('manual')).toMatchObject({ outcome: 'confirmed' });
  });

  it('hold by what a sensor said before it was bound', async () => {
    const site = await runningSite({}, { plan: { ...plan, facilities: [] } });
    site.read({ ...mast, value: 14 });
    site.save({ facilities: [house] });
    expect(await site.open('manual')).toMatchObject({ outcome: 'blocked', code: 'wind' });
  });

  it('that are changed while the sensor is silent hold on by their present numbers', async () => {
    const site = await runningSite();
    await site.open('manual');
    site.read({ ...mast, value: 14 });
    await site.clock.advance(3_600_000);
    site.replan({ limits: { ...plan.limits, wind_m_s: 20 } });
    await settled();
    expect(site.outputs.channel(ventId).state()).toMatchObject({
      state: 'off',
      reason: 'the wind is above the limit of 20 m/s',
      held_by: { limit: 20 },
    });
  });
});

describe('without fresh readings', () => {
  it('what programs drive is held safe, what a person drives is not', async () => {
    const site = await runningSite();
    await site.heat();
    await site.open('manual');
    await site.clock.advance(901_000);
    expect(site.states()).toEqual(['off', 40]);
    expect(site.outputs.channel(heaterId).state().reason).toBe('no fresh reading of thermometer');
    expect(await site.heat('manual')).toMatchObject({ outcome: 'confirmed' });
  });

  it('programs drive again with the next reading', async () => {
    const site = await runningSite();
    await site.heat();
    await site.clock.advance(901_000);
    site.read({ ...air, value: 20 });
    await site.clock.advance(1_000);
    expect(site.stateOf(heaterId)).toBe('on');
  });
});

describe('the current of the site', () => {
  it('blocks what would pass it, and lets it on when there is room', async () => {
    const second = '00000000-0000-4000-8000-0000000000b2';
    const site = outputsSite({ plan: { max_current_a: 10 } });
    const pump = (id: string) => simulatedOutput(id, 'heater', { current_a: 6 });
    await site.start([pump(heaterId), pump(second)]);
    const on = (output_id: string) => site.outputs.command({ output_id, state: true, source: 'automatic', keep: true });
    const [first, other] = await Promise.all([on(heaterId), on(second)]);
    expect([first.outcome, other.outcome, other.code]).toEqual(['confirmed', 'pending', 'current_limit']);
    expect(other.message).toContain('6 A are drawn and 6 A more would pass the limit of 10 A');
    await site.outputs.command({ output_id: heaterId, state: false });
    await settled();
    expect(site.stateOf(second)).toBe('on');
    site.replan({ max_current_a: 3 });
    await settled();
    expect(site.stateOf(second)).toBe('on'); // a setting moves nothing
  });
});

describe('interlocks', () => {
  it('hold between commands that are under way at the same time, and let on what was to be kept', async () => {
    const rows = [
      ...[{ name: 'pair', while_output_id: heaterId, while_channel: 0, above_pct: 0 }].map((row) => ({
        ...row,
        forbids_output_id: ventId,
        forbids_channel: 0,
      })),
    ];
    const site = outputsSite({ plan: { interlocks: rows } });
    await site.start([simulatedOutput(heaterId, 'heater'), simulatedOutput(ventId, 'side_vent')]);
    site.actuatorOf(heaterId).answer = 'hang';
    void site.outputs.command({ output_id: heaterId, state: true });
    const vent = await site.outputs.command({ output_id: ventId, state: true });
    expect([vent.outcome, vent.code]).toEqual(['blocked', 'interlock']);
    const kept = await site.outputs.command({ output_id: ventId, state: true, keep: true });
    expect([kept.outcome, kept.code]).toEqual(['pending', 'interlock']);
    site.actuatorOf(heaterId).give('refused');
    await settled();
    expect(site.stateOf(ventId)).toBe(100);
  });
});

describe('a manual command', () => {
  it('holds for manual_hold_s where a controller drives the channel, else until the next automatic one', async () => {
    const site = await runningSite({}, { plan: { manual_hold_s: 600 } });
    await site.outputs.command({ output_id: heaterId, state: false });
    expect(await site.heat()).toMatchObject({ outcome: 'confirmed' });
    expect(site.outputs.drive('pid', heaterId, 0)).toBeUndefined();
    expect(site.outputs.drive('other', heaterId, 0)).toBe('pid');
    await site.outputs.command({ output_id: heaterId, state: false });
    expect(await site.heat()).toMatchObject({ outcome: 'blocked', code: 'overridden' });
    expect(await site.heat('automatic', { keep: true })).toMatchObject({ outcome: 'pending', code: 'overridden' });
    await site.clock.advance(600_000);
    expect(site.stateOf(heaterId)).toBe('on');
    await site.outputs.letGo('pid');
    expect(site.stateOf(heaterId)).toBe('off');
    expect(site.outputs.drive('other', heaterId, 0)).toBeUndefined();
  });
});

describe('a volume', () => {
  it('is measured out by the calibrated flow', async () => {
    const site = await runningSite({ flow_ml_s: 50 });
    await site.heat('manual', { volume_ml: 1_000 });
    await site.clock.advance(19_999);
    expect(site.stateOf(heaterId)).toBe('on');
    await site.clock.advance(1);
    expect(site.stateOf(heaterId)).toBe('off');
  });

  it('is refused without one', async () => {
    const site = await runningSite();
    await expect(site.heat('manual', { volume_ml: 1_000 })).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('the emergency stop', () => {
  const stop = async (site: Awaited<ReturnType<typeof runningSite>>) => {
    await site.safety.emergency.begin('kim', 'smoke');
    return site.outputs.stopNow();
  };

  it('drives everything safe at once, says what came of each, and lets nothing through', async () => {
    const site = await runningSite({ safe_state: 'on' });
    await site.open('manual');
    site.actuatorOf(ventId).answer = 'unreachable';
    expect(await stop(site)).toMatchObject([
      { output_id: heaterId, channel: 0, outcome: 'confirmed' },
      { output_id: ventId, channel: 0, outcome: 'failed' },
    ]);
    expect(await site.heat('manual')).toMatchObject({ outcome: 'blocked', code: 'emergency_stop' });
    expect(site.outputs.channel(heaterId).state()).toMatchObject({
      state: 'on',
      source: 'emergency_stop',
      actor: 'kim',
      reason: 'smoke',
      wanted: null,
    });
    site.actuatorOf(ventId).answer = 'acknowledge';
    await site.clock.advance(30_000);
    expect(site.outputs.safeOutcomes().map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed']);
  });

  it('does not wait for a write that hangs', async () => {
    const site = await runningSite();
    site.actuatorOf(heaterId).answer = 'hang';
    const hung = site.heat();
    await settled();
    site.actuatorOf(heaterId).answer = 'acknowledge';
    const stopped = stop(site);
    await site.clock.advance(500);
    expect((await stopped)[0]).toMatchObject({ outcome: 'confirmed' });
    expect(await hung).toMatchObject({ outcome: 'unknown' });
    expect(site.actuatorOf(heaterId).written.slice(-2)).toEqual(['on', 'off']);
  });

  it('lets nothing jump back on when it is released', async () => {
    const site = await runningSite();
    await site.heat();
    await site.open('manual');
    await stop(site);
    await site.outputs.stayStopped();
    await site.safety.emergency.release('anna');
    site.outputs.stopEnded();
    await site.clock.advance(60_000);
    expect(site.states()).toEqual(['off', 'off']);
    expect(await site.heat()).toMatchObject({ outcome: 'confirmed' });
  });

  it('ends for what every output says of itself, although nothing moves', async () => {
    const site = await runningSite();
    await stop(site);
    const held = new Map<string, string | null>();
    site.events.subscribe((event) => {
      if (event.kind === 'output') held.set(event.output_id, event.rule);
    });
    await site.outputs.stayStopped();
    await site.safety.emergency.release('anna');
    site.outputs.stopEnded();
    expect([...held]).toEqual([
      [heaterId, null],
      [ventId, null],
    ]);
  });

  it('survives a restart, with the override of before gone', async () => {
    const store = new MemoryControlStore();
    const before = await runningSite({ startup_state: 'last' }, { store });
    const override_until = new Date(before.clock.now() + 3_600_000).toISOString();
    await before.heat('manual', { override_until });
    await stop(before);
    await store.markRun(true);
    const after = await runningSite({ startup_state: 'last' }, { store });
    expect(after.safety.emergency.held).toMatchObject({ actor: 'kim', reason: 'smoke' });
    expect(await after.heat()).toMatchObject({ code: 'emergency_stop' });
    await after.outputs.stayStopped();
    await after.safety.emergency.release('anna');
    await after.clock.advance(60_000);
    expect(after.states()).toEqual(['off', 'off']);
    expect(store.emergency_stop).toBeNull();
  });

  it('brings back what somebody turned on at the device itself', async () => {
    const site = await runningSite();
    await stop(site);
    site.outputs.channel(heaterId).observe('on');
    await settled();
    expect(site.stateOf(heaterId)).toBe('off');
  });

  it('holds although the disk does not take it', async () => {
    const store = new MemoryControlStore();
    const site = await runningSite({}, { store });
    store.failure = new Error('disk full');
    await stop(site);
    expect(await site.heat()).toMatchObject({ code: 'emergency_stop' });
  });
});

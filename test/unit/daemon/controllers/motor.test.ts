import { expect, it, onTestFinished } from 'vitest';
import type { OutputChannel } from '../../../../server/contract/output.ts';
import { outputChannelState } from '../../../../server/contract/output.ts';
import { DriverError, type DriverErrorCode } from '../../../../server/daemon/drivers/driver.ts';
import { withMotors } from '../../../../server/daemon/drivers/motors.ts';
import { SimulatedHouse } from '../../../../server/daemon/drivers/simulated/house.ts';
import { simulatedMotor } from '../../../../server/daemon/drivers/simulated/motor.ts';
import { simulatedHouse } from '../../../../server/domain/simulation/simulated-house.ts';
import { programOf, runClimate } from '../../../support/climate-run.ts';
import { yearSite } from '../../../support/climate-sites.ts';
import { heaterId, simulatedOutput, ventId } from '../../../support/daemon-site.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outputsSite } from '../../../support/outputs-site.ts';

const settings: Partial<OutputChannel> = { motor_close_channel: 1, motor_travel_s: 100, motor_slack_s: 0 };

/** A vent with a motor that takes a second longer than its settings say, and what became of it. */
async function vented(changes: Partial<OutputChannel> = {}) {
  const clock = new ManualClock();
  const house = new SimulatedHouse({}, { now: () => clock.now(), model: () => simulatedHouse });
  const positions: number[] = [];
  house.set = (_part, position) => void positions.push(100 * position);
  const device = simulatedMotor({ house, part: 'side_vent', travel_s: 101, clock }, async () => undefined);
  const relays: string[] = [];
  const told: { relay: string; at_ms: number }[] = [];
  const broken = { channel: null as number | null, code: 'timed_out' as DriverErrorCode, hangs: false };
  const write = device.write?.bind(device);
  if (write === undefined) throw new Error('a motor is written');
  const wired = {
    ...device,
    write: async (channel: number, value: 'on' | 'off' | number, signal: AbortSignal) => {
      if (broken.hangs) await new Promise<never>(() => undefined);
      if (broken.channel === channel) throw new DriverError(broken.code, 'broken');
      relays.push(`${channel} ${value}`);
      told.push({ relay: `${channel} ${value}`, at_ms: clock.elapsed() });
      return write(channel, value, signal);
    },
  };
  const output = simulatedOutput(ventId, 'side_vent', { ...settings, ...changes });
  const site = outputsSite({ clock, connect: async ({ channels }) => withMotors(wired, channels, clock) });
  const started = site.start([output]);
  await clock.advance(1_000);
  await started;
  onTestFinished(() => void site.outputs.stop(false));
  const state = () => outputChannelState.parse(site.outputs.channel(ventId).state());
  const go = (pct: number, source: 'manual' | 'automatic' = 'manual') =>
    site.outputs.command({ output_id: ventId, state: pct > 0, duty_cycle_pct: pct, source });
  const real = () => positions.at(-1) ?? 0;
  return { ...site, clock, write, relays, told, broken, state, go, real };
}

it('says nothing of its position until it has been at its end', async () => {
  const { clock, state, relays } = await vented();
  expect(state()).toMatchObject({ state: null, quality: 'unknown', moves_to: 'off' });
  await clock.advance(60_000);
  expect(state()).toMatchObject({ state: null, quality: 'unknown' });
  await clock.advance(60_000);
  expect(state()).toMatchObject({ state: 'off', quality: 'commanded', drift_pct: 0 });
  expect(state().moves_to).toBeUndefined();
  expect(relays).toEqual(['0 off', '1 off', '1 on', '1 off']);
});

it('shows where it is on its way, and how far it may be off', async () => {
  const { clock, go, state, real, relays } = await vented();
  await clock.advance(120_000);
  relays.length = 0;
  await go(60);
  await clock.advance(30_000);
  expect(state()).toMatchObject({ moves_to: 60, quality: 'commanded' });
  expect(Math.abs(Number(state().state) - 30)).toBeLessThanOrEqual(5);
  await clock.advance(40_000);
  expect(state()).toMatchObject({ state: 60, drift_pct: 0.8 });
  expect(Math.abs(real() - 60)).toBeLessThan(0.8);
  expect(relays).toEqual(['0 on', '0 off']);
});

it('turns round at once when it is told to, with a rest between', async () => {
  const { clock, go, state, relays, real } = await vented();
  await clock.advance(120_000);
  relays.length = 0;
  await go(100);
  await clock.advance(50_000);
  const before = clock.elapsed();
  const told = go(0);
  await clock.advance(600);
  await told;
  expect([relays, clock.elapsed() - before]).toEqual([['0 on', '0 off', '1 on'], 600]);
  await clock.advance(80_000);
  expect([state().state, state().drift_pct, real()]).toEqual(['off', 0, 0]);
});

it('goes to its safe end after many moves, where the drift has grown', async () => {
  const { clock, go, real, state } = await vented();
  await clock.advance(120_000);
  let [worst, synchronised] = [0, 0];
  for (let n = 0; n < 60; n += 1) {
    await go(n % 2 === 0 ? 60 : 40);
    for (let s = 0; s < 240; s += 5) {
      await clock.advance(5_000);
      if (state().state === 'off') synchronised += 1;
    }
    worst = Math.max(worst, Math.abs(real() - (n % 2 === 0 ? 60 : 40)));
    expect(state().drift_pct).toBeLessThanOrEqual(6);
  }
  expect(synchronised).toBeGreaterThan(2);
  expect(worst).toBeLessThan(5);
});

it('follows the small steps of a climate program through a mild day, and is never further off than it says', async () => {
  const asked: { at_ms: number; pct: number }[] = [];
  const from_ms = Date.UTC(2026, 4, 4, 6);
  runClimate({
    program: programOf(),
    site: yearSite(),
    from_ms,
    days: 1,
    looked: ({ at_ms, positions_pct: { roof_vent = 0 } }) => {
      if (roof_vent !== (asked.at(-1)?.pct ?? 0)) asked.push({ at_ms, pct: roof_vent });
    },
  });
  expect(asked.filter(({ pct }) => pct > 0 && pct < 20).length).toBeGreaterThan(5);
  const { clock, go, state, real } = await vented();
  await clock.advance(120_000);
  let [off, told] = [0, 0];
  for (const { pct } of asked) {
    await go(pct, 'automatic');
    // Between two moves it stands: that time can be left out.
    await clock.advance(120_000);
    const { state: stands, moves_to, drift_pct = 0 } = state();
    expect([moves_to, stands]).toEqual([undefined, pct === 0 ? 'off' : expect.any(Number)]);
    off = Math.max(off, Math.abs(real() - (stands === 'off' ? 0 : Number(stands))) - drift_pct);
    told = Math.max(told, drift_pct);
  }
  expect(told).toBeGreaterThan(0.5);
  expect(told).toBeLessThanOrEqual(6);
  expect(off).toBeLessThan(0.1);
});

it('does not know where it is when another hand has moved its relay, and finds out', async () => {
  const { clock, go, state, write, real } = await vented();
  await clock.advance(120_000);
  await go(40);
  await clock.advance(60_000);
  await write(0, 'on', new AbortController().signal);
  await clock.advance(6_000);
  expect(state()).toMatchObject({ state: null, moves_to: 40 });
  await clock.advance(200_000);
  expect(state().state).toBe(40);
  expect(Math.abs(real() - 40)).toBeLessThan(1);
});

it('tries again to stop a relay that does not answer, and claims no position meanwhile', async () => {
  const { clock, go, state, broken, relays, real } = await vented();
  await clock.advance(120_000);
  await go(30);
  broken.channel = 0;
  await clock.advance(60_000);
  expect(state()).toMatchObject({ state: null, quality: 'unknown' });
  broken.channel = null;
  await clock.advance(300_000);
  expect(relays.filter((one) => one === '0 off').length).toBeGreaterThan(1);
  expect(state().state).toBe(30);
  expect(Math.abs(real() - 30)).toBeLessThan(1);
});

it.each(['timed_out', 'refused', 'unreachable'] as const)(
  'stops as soon as its relay lets it, where a command found that %s',
  async (code) => {
    const { clock, go, broken, relays, real } = await vented();
    await clock.advance(120_000);
    await go(80);
    await clock.advance(20_000);
    Object.assign(broken, { channel: 0, code });
    const told = go(10);
    await clock.advance(2_000);
    await told;
    broken.channel = null;
    relays.length = 0;
    await clock.advance(6_000);
    expect(relays[0]).toBe('0 off');
    expect(real()).toBeLessThan(35);
  },
);

it('rests before it turns round also where nobody knows which way it ran', async () => {
  const { clock, go, told, write } = await vented();
  await clock.advance(120_000);
  await go(60);
  await clock.advance(20_000);
  await write(1, 'off', new AbortController().signal);
  await write(0, 'off', new AbortController().signal);
  told.length = 0;
  await clock.advance(10_000);
  const [off, on] = [told.findLast(({ relay }) => relay === '1 off'), told.find(({ relay }) => relay === '1 on')];
  expect((on?.at_ms ?? 0) - (off?.at_ms ?? 0)).toBeGreaterThanOrEqual(500);
});

it('counts as open as far as it goes, and as safe in no direction but that', async () => {
  const { clock, go, outputs } = await vented();
  await clock.advance(120_000);
  await go(70);
  expect(outputs.exposurePct(ventId, 0)).toBe(70);
  expect(outputs.areSafe()).toBe(false);
  await clock.advance(80_000);
  await go(0);
  expect(outputs.safeOutcomes()).toMatchObject([{ outcome: 'pending' }]);
});

it('is told once to close where an interlock forbids it to be open', async () => {
  const { clock, go, events, replan, real } = await vented();
  await clock.advance(120_000);
  await go(80);
  await clock.advance(100_000);
  const row = { name: 'heater', while_output_id: heaterId, while_channel: 0, above_pct: 0 }; // nobody knows its state
  const ended: unknown[] = [];
  events.subscribe((one) => void (one.kind === 'output' && one.outcome !== undefined && ended.push(one)));
  replan({ interlocks: [{ ...row, forbids_output_id: ventId, forbids_channel: 0 }] });
  await clock.advance(120_000);
  expect([ended.length, real()]).toEqual([1, 0]);
});

it('closes in an emergency stop, and says that it is safe only when it is', async () => {
  const { clock, go, outputs, real } = await vented();
  await clock.advance(120_000);
  await go(80);
  await clock.advance(100_000);
  const stopped = outputs.stopNow();
  await clock.advance(1_000);
  await stopped;
  expect(outputs.areSafe()).toBe(false);
  await clock.advance(120_000);
  expect([outputs.areSafe(), real()]).toEqual([true, 0]);
});

it('closes in an emergency stop though the write before never ends', async () => {
  const { clock, go, outputs, broken, real } = await vented();
  await clock.advance(120_000);
  await go(80);
  await clock.advance(100_000);
  broken.hangs = true;
  const lost = go(20);
  await clock.advance(100);
  broken.hangs = false;
  const stopped = outputs.stopNow();
  await clock.advance(3_000);
  await Promise.all([stopped, lost]);
  await clock.advance(120_000);
  expect([outputs.areSafe(), real()]).toEqual([true, 0]);
});

it('stops on its way when it is let go, but runs on to an end', async () => {
  const half = await vented({ shutdown_state: 'leave' });
  await half.clock.advance(120_000);
  await half.go(50);
  await half.clock.advance(10_000);
  await half.outputs.stop(false);
  expect(half.relays.at(-1)).toBe('0 off');
  const shut = await vented();
  await shut.clock.advance(120_000);
  await shut.go(50);
  await shut.clock.advance(100_000);
  const stopping = shut.outputs.stop(true);
  await shut.clock.advance(1_000);
  expect(await stopping).toBe(true);
  expect(shut.relays.at(-1)).toBe('1 on');
});

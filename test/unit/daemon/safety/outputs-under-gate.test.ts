import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome, Output } from '../../../../server/contract/output.ts';
import { type Device, type OutputValue, DriverError } from '../../../../server/daemon/drivers/driver.ts';
import { defaultAlarmLimits } from '../../../../server/contract/alarm-limits.ts';
import type { PlanFacility, SafetyPlan } from '../../../../server/daemon/safety/plan.ts';
import { positionPct } from '../../../../server/daemon/drivers/output-value.ts';
import { simulatedOutput } from '../../../support/daemon-site.ts';
import { settled } from '../../../support/manual-clock.ts';
import { outputsSite } from '../../../support/outputs-site.ts';

const runs = process.env['TEST_SCALE'] === 'long' ? 5_000 : 60;

const names = ['heater', 'vent', 'pump', 'spare'] as const;
type Name = (typeof names)[number];
const idOf = (name: Name): string => `00000000-0000-4000-8000-00000000000${names.indexOf(name) + 1}`;
const wind = { device_id: 'weather', measurement_id: 'wind' };

const outputs: Output[] = [
  simulatedOutput(idOf('heater'), 'heater', { current_a: 6 }),
  simulatedOutput(idOf('vent'), 'side_vent'),
  simulatedOutput(idOf('pump'), 'heater', { current_a: 6 }),
  simulatedOutput(idOf('spare'), 'heater', { current_a: 6, safe_state: 'on' }),
];
const facility: PlanFacility = {
  unique_id: 'house',
  name: 'House',
  sensors: [{ role: 'outdoor_wind', name: 'mast', ...wind, weight: 1, stale_after_s: 1_000_000 }],
  actuators: [{ role: 'roof_vent', output_id: idOf('vent'), channel: 0 }],
};
const row = (first: Name, above_pct: number, second: Name) => ({
  name: `${first} before ${second}`,
  while_output_id: idOf(first),
  while_channel: 0,
  above_pct,
  forbids_output_id: idOf(second),
  forbids_channel: 0,
});
const plan: Partial<SafetyPlan> = {
  max_current_a: 13,
  interlocks: [row('vent', 30, 'heater'), row('heater', 0, 'pump'), row('pump', 0, 'heater')],
  limits: { ...defaultAlarmLimits, wind_m_s: 10 },
  facilities: [facility],
};

type Answer = 'acknowledge' | 'late' | 'timed_out' | 'unreachable' | 'refused';
type Action =
  | { kind: 'command'; name: Name; value: number; source: 'manual' | 'automatic'; keep: boolean }
  | { kind: 'answer'; answer: Answer }
  | { kind: 'wind'; value: number }
  | { kind: 'stop' }
  | { kind: 'release' }
  | { kind: 'pass'; ms: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant('command' as const),
    name: fc.constantFrom(...names),
    value: fc.constantFrom(0, 20, 60, 100),
    source: fc.constantFrom('manual' as const, 'automatic' as const),
    keep: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('answer' as const),
    answer: fc.constantFrom<Answer>('acknowledge', 'late', 'timed_out', 'unreachable', 'refused'),
  }),
  fc.record({ kind: fc.constant('wind' as const), value: fc.constantFrom(2, 9.5, 14) }),
  fc.constantFrom<Action>({ kind: 'stop' }, { kind: 'release' }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(10, 1_000, 40_000, 400_000) }),
);

/** Devices that do what they are told after an answer which the test chooses, and what they were doing all along. */
async function siteUnderTest() {
  const real = new Map<string, OutputValue>();
  const faults: string[] = [];
  /** Commands to turn something on, with how they ended, and how many there were at each time that it was turned on. */
  const asked: { id: string; value: OutputValue; outcome?: Outcome }[] = [];
  const turnedOn: { id: string; value: OutputValue; after: number }[] = [];
  let answer: Answer = 'acknowledge';
  let windNow = 0;
  const check = (id: string, value: OutputValue): void => {
    const on = (name: Name): number =>
      idOf(name) === id ? positionPct(value) : positionPct(real.get(idOf(name)) ?? 'off');
    const isOwn = (...own: Name[]): boolean => own.some((name) => idOf(name) === id) && positionPct(value) > 0;
    if (site.safety.emergency.held !== null) {
      const safe = id === idOf('spare') ? 'on' : 'off';
      if (value !== safe) faults.push(`${id} to ${value} in an emergency stop`);
      return;
    }
    if (isOwn('heater') && on('vent') > 30) faults.push('heater with the vent open');
    if (isOwn('heater', 'pump') && on('heater') > 0 && on('pump') > 0) faults.push('both of a pair');
    if (isOwn('vent') && windNow > 10) faults.push('vent opened in the wind');
    const drawing = (['heater', 'pump', 'spare'] as const).filter((name) => on(name) > 0);
    if (isOwn('heater', 'pump', 'spare') && drawing.length > 2 && real.get(id) !== 'on')
      faults.push('too much current');
  };
  const connect = async ({ unique_id }: Output): Promise<Device> => ({
    write: async (_channel, value) => {
      check(unique_id, value);
      if (positionPct(value) > 0) turnedOn.push({ id: unique_id, value, after: asked.length });
      const now = answer;
      if (now === 'unreachable' || now === 'refused') throw new DriverError(now, now);
      if (now === 'late') await new Promise<void>((resolve) => void site.clock.after(700, resolve));
      real.set(unique_id, value);
      if (now === 'timed_out') throw new DriverError(now, now);
      return { acknowledged: true };
    },
    close: async () => undefined,
  });
  const site = outputsSite({ plan, connect });
  await site.start(outputs);
  const act = async (one: Action): Promise<void> => {
    if (one.kind === 'answer') answer = one.answer;
    else if (one.kind === 'pass') await site.clock.advance(one.ms);
    else if (one.kind === 'wind') {
      windNow = one.value;
      site.read({ ...wind, value: one.value });
    } else if (one.kind === 'stop') {
      void site.safety.emergency.begin('kim', null);
      void site.outputs.stopNow();
    } else if (one.kind === 'release') {
      await site.outputs.stayStopped();
      await site.safety.emergency.release('anna');
    } else {
      const { name, value, source, keep } = one;
      const amount = name === 'vent' && value > 0 ? { duty_cycle_pct: value } : {};
      const command: (typeof asked)[number] = { id: idOf(name), value: name === 'vent' ? value : 'on' };
      if (value > 0) asked.push(command);
      const answer = site.outputs.command({
        output_id: idOf(name),
        state: value > 0,
        source,
        actor: 'kim',
        keep,
        ...amount,
      });
      void answer.then(({ outcome }) => (command.outcome = outcome));
    }
    await settled();
  };
  /** What was turned on although nobody asked for it, or whoever did was refused; a safe state needs nobody. */
  const unasked = () =>
    turnedOn.filter(({ id, value, after }) => {
      const isAsked = asked
        .slice(0, after)
        .some((one) => one.id === id && one.value === value && one.outcome !== 'blocked');
      return !isAsked && id !== idOf('spare');
    });
  return { ...site, act, faults, unasked, real, mend: () => void (answer = 'acknowledge'), windNow: () => windNow };
}

describe('outputs under the gate', () => {
  it('never send what the gate forbids at that moment, whatever comes in which order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
        const site = await siteUnderTest();
        for (const one of actions) await site.act(one);
        expect(site.faults).toEqual([]);
        // Once devices answer again, what is so is what may be.
        site.mend();
        await site.clock.advance(120_000);
        expect(site.unasked()).toEqual([]);
        const at = (name: Name): number => positionPct(site.real.get(idOf(name)) ?? 'off');
        if (site.safety.emergency.held !== null) {
          expect(names.map(at)).toEqual([0, 0, 0, 100]);
        } else {
          expect(at('heater') > 0 && at('vent') > 30).toBe(false);
          expect(at('heater') > 0 && at('pump') > 0).toBe(false);
          if (site.windNow() > 10) expect(at('vent')).toBe(0);
        }
        site.safety.stop();
      }),
      { numRuns: runs },
    );
  }, 600_000);
});

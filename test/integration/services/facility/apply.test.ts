import { describe, expect, it } from 'vitest';
import type { ApplyAction } from '../../../../server/contract/facility.ts';
import type { Outcome } from '../../../../server/contract/output.ts';
import { grower, testDevices } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';
import { remoteError, stateOf } from '../../../support/scripted-daemon.ts';

/** A house with two heaters and a vent. */
async function boundHouse() {
  const all = testDevices();
  const [first, second] = [await all.switch(), await all.switch()];
  const house_id = '00000000-0000-4000-8000-000000000001';
  const options = { house: house_id, part: 'roof_vent' };
  const vent = await all.outputs.create(grower, { name: 'Vent', driver: 'simulated', options });
  const house = all.house({
    actuators: [
      { role: 'heater', device_id: first.unique_id, name: 'North' },
      { role: 'heater', device_id: second.unique_id, name: 'South' },
      { role: 'roof_vent', device_id: vent.unique_id, name: 'Vent' },
    ],
  });
  const apply = (...actions: ApplyAction[]) => all.apply.apply(grower, house.unique_id, actions);
  const answerWith = (outcomes: Record<string, Outcome>) => {
    all.daemon.answer = ({ output_id }) => {
      const outcome = outcomes[output_id] ?? 'confirmed';
      return { outcome, message: outcome, state: stateOf({}) };
    };
  };
  return { ...all, house, first, second, vent, applyNow: apply, answerWith };
}

describe('apply', () => {
  it('sends an action to every binding of its role and answers each', async () => {
    const { applyNow, first, second, vent, house, daemon, audited } = await boundHouse();
    const { results } = await applyNow(
      { role: 'heater', state: true, duration_s: 60 },
      { role: 'roof_vent', state: true, amount: 30, unit: 'pct', reason: 'too warm' },
    );
    expect(results).toMatchObject([
      { role: 'heater', device_id: first.unique_id, channel: 0, requested: 'on', outcome: 'confirmed' },
      { role: 'heater', device_id: second.unique_id, requested: 'on', outcome: 'confirmed' },
      { role: 'roof_vent', device_id: vent.unique_id, requested: 30, outcome: 'confirmed' },
    ]);
    expect(daemon.commands).toMatchObject([
      { output_id: first.unique_id, duration_s: 60, source: 'manual', actor: 'grower' },
      { output_id: second.unique_id, duration_s: 60 },
      { output_id: vent.unique_id, duty_cycle_pct: 30, reason: 'too warm' },
    ]);
    expect(audited.at(-1)).toMatchObject({ kind: 'facility.apply', target: house.unique_id, after: { results } });
  });

  it('sends to one binding that is named', async () => {
    const { applyNow, second, daemon } = await boundHouse();
    await applyNow({ role: 'heater', state: true, device_id: second.unique_id, channel: 0 });
    expect(daemon.commands.map((command) => command.output_id)).toEqual([second.unique_id]);
  });

  it('takes seconds as an amount', async () => {
    const { applyNow, daemon } = await boundHouse();
    await applyNow({ role: 'heater', state: true, amount: 20, unit: 's' });
    expect(daemon.commands[0]).toMatchObject({ duration_s: 20 });
  });

  it.each<[string, ApplyAction[], string, string]>([
    ['an unbound role', [{ role: 'fogger', state: true }], 'role_not_bound', 'actions[0].role'],
    [
      'a device that is not bound to the role',
      [{ role: 'heater', state: true, device_id: '00000000-0000-4000-8000-000000000009' }],
      'role_not_bound',
      'actions[0].device_id',
    ],
    [
      'a channel that is not bound to the role',
      [{ role: 'heater', state: true, channel: 5 }],
      'role_not_bound',
      'actions[0].channel',
    ],
    [
      'a position of a switch',
      [{ role: 'heater', state: true, amount: 50, unit: 'pct' }],
      'invalid_field',
      'actions[0].amount',
    ],
    ['no time at all', [{ role: 'heater', state: true, amount: 0, unit: 's' }], 'invalid_field', 'actions[0].amount'],
    [
      'two amounts',
      [{ role: 'roof_vent', state: true, amount: 50, unit: 'pct', duration_s: 5 }],
      'invalid_field',
      'actions[0].duration_s',
    ],
    [
      'one device twice',
      [
        { role: 'heater', state: true },
        { role: 'heater', state: false },
      ],
      'invalid_field',
      'actions[1]',
    ],
  ])('refuses %s', async (_, actions, code, path) => {
    const { applyNow } = await boundHouse();
    const refusal = await refusalOf(applyNow(...actions));
    expect([refusal.code, refusal.errors?.[0]?.path]).toEqual([code, path]);
  });

  it('checks everything before it sends anything', async () => {
    const { applyNow, daemon } = await boundHouse();
    const refusal = await refusalOf(applyNow({ role: 'heater', state: true }, { role: 'fogger', state: true }));
    expect([refusal.code, refusal.errors?.[0]?.path]).toEqual(['role_not_bound', 'actions[1].role']);
    expect(daemon.commands).toEqual([]);
  });

  it.each<[Outcome, Outcome, string | 200]>([
    ['confirmed', 'failed', 200],
    ['pending', 'blocked', 200],
    ['unknown', 'failed', 200],
    ['unknown', 'unknown', 200],
    ['blocked', 'blocked', 'blocked'],
    ['blocked', 'failed', 'command_failed'],
    ['failed', 'failed', 'command_failed'],
  ])('%s and %s end as %s, with both results', async (north, south, expected) => {
    const { applyNow, answerWith, first, second, audited } = await boundHouse();
    answerWith({ [first.unique_id]: north, [second.unique_id]: south });
    const both = [{ outcome: north }, { outcome: south }];
    const call = applyNow({ role: 'heater', state: true });
    if (expected === 200) expect((await call).results).toMatchObject(both);
    else {
      const refusal = await refusalOf(call);
      expect(refusal.code).toBe(expected);
      expect(refusal.members['results']).toMatchObject(both);
    }
    expect(audited.at(-1)).toMatchObject({ kind: 'facility.apply', after: { results: both } });
  });

  it('says that nothing was sent when the daemon is away', async () => {
    const { applyNow, daemon } = await boundHouse();
    daemon.failure = remoteError('connection_failed');
    const refusal = await refusalOf(applyNow({ role: 'heater', state: true }));
    expect([refusal.code, refusal.status]).toEqual(['daemon_unreachable', 502]);
  });

  it('says that nobody knows when the daemon fell silent', async () => {
    const { applyNow, daemon } = await boundHouse();
    daemon.failure = remoteError('timeout');
    const { results } = await applyNow({ role: 'roof_vent', state: true });
    expect(results).toMatchObject([{ outcome: 'unknown', code: 'command_unknown' }]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Trigger } from '../../../../server/contract/trigger.ts';
import { grower, testDevices } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const broker = { kind: 'mqtt', url: 'mqtt://broker.example', topic: 'house' } as const;
const cause = { kind: 'trigger', unique_id: id(9), name: 'Frost', because: '2 C below 5 C' };

function site() {
  const devices = testDevices();
  const triggers = devices.storedSettings.get('trigger');
  if (triggers === undefined) throw new Error('triggers have settings');
  const make = async (settings: object): Promise<Trigger> => (await triggers.create(grower, settings)) as Trigger; // of that word
  const change = (one: string, patch: object) => triggers.change(grower, one, patch);
  return { ...devices, triggers, make, change };
}

describe('what triggers name', () => {
  it('is refused where triggers would switch an output on and off without end, and taken where one waits', async () => {
    const { make, change, ...devices } = site();
    const { unique_id: output_id } = await devices.switch();
    const turning = (name: string, state: 'on' | 'off') => ({
      name,
      kind: 'output',
      output: { output_id },
      state,
      actions: [{ unique_id: id(1), name: 'turn', kind: 'output', output_id, state: state === 'off' }],
    });
    const { unique_id } = await make(turning('Off again', 'on'));
    const refused = await refusalOf(make(turning('On again', 'off')));
    expect(refused).toMatchObject({ code: 'endless_loop', members: { through: ['On again', 'Off again'] } });
    await change(unique_id, { for_s: 10 });
    const second = await make({ ...turning('On again', 'off'), is_activated: true });
    expect(await refusalOf(change(unique_id, { for_s: 0 }))).toMatchObject({ code: 'endless_loop' });
    await change(second.unique_id, { is_activated: false });
    await change(unique_id, { for_s: 0 });
  });

  it('is a target that there is, of the kind that is needed, which stays as long as it is named', async () => {
    const { make, triggers, notificationTargets } = site();
    const { unique_id: target_id } = notificationTargets.create(grower, { name: 'Broker', options: broker });
    const calling = (kind: string, target: string) => ({
      name: 'Caller',
      kind: 'interval',
      period_s: 60,
      actions: [
        { unique_id: id(1), name: 'tell', kind, target_id: target, ...(kind === 'message' && { text: 'Hello' }) },
      ],
    });
    const path = 'actions[0].target_id';
    for (const wrong of [calling('webhook', target_id), calling('mqtt', id(77))]) {
      expect(await refusalOf(make(wrong))).toMatchObject({ code: 'unknown_reference', errors: [{ path }] });
    }
    const { unique_id } = await make(calling('message', target_id));
    const inUse = await refusalOf(async () => notificationTargets.remove(grower, target_id));
    expect(inUse).toMatchObject({ code: 'in_use', members: { users: [{ kind: 'trigger', name: 'Caller' }] } });
    await triggers.remove(grower, unique_id);
    notificationTargets.remove(grower, target_id);
  });
});

describe('what a controller would ask a switch for again and again', () => {
  it.each([
    ['a position', { value: 40 }, 'actions[0].value', 'needs a dimmer: this channel is a switch'],
    [
      'a duty cycle',
      { duty_cycle_pct: 40 },
      'actions[0].duty_cycle_pct',
      'needs a dimmer, or a switch with pwm_cycle_s',
    ],
    ['a volume', { volume_ml: 500 }, 'actions[0].volume_ml', 'needs a calibrated flow'],
  ] as const)('is refused where it is %s', async (_what, amount, path, message) => {
    const { make, ...devices } = site();
    const { unique_id: output_id } = await devices.switch();
    const acting = (asked: object) => ({
      name: 'Water',
      kind: 'interval',
      period_s: 60,
      actions: [{ unique_id: id(1), name: 'on', kind: 'output', output_id, state: true, ...asked }],
    });
    const refused = await refusalOf(make(acting(amount)));
    expect(refused).toMatchObject({ code: 'invalid_field', errors: [{ path }] });
    expect(JSON.stringify(refused)).toContain(message);
    await make(acting({ duration_s: 60 }));
  });
});

it('what a controller hands over and does is heard once: the note is there, and the audit has the deed', async () => {
  const { daemon, notes, audited, live, ...devices } = site();
  const output = await devices.switch();
  devices.start();
  await daemon.polled();
  const errand = { kind: 'errand', action: 'log', value: null, ends_at: '2030-01-01T00:00:00.000Z', cause } as const;
  daemon.emit({ ...errand, task: { kind: 'note', text: 'Cold', category: null } });
  daemon.emit({
    kind: 'output',
    output_id: output.unique_id,
    channel: 0,
    state: 'on',
    contact: null,
    quality: 'good',
    source: 'automatic',
    actor: 'trigger Frost',
    reason: cause.because,
    cause,
    rule: null,
    wanted: null,
    until: null,
    override_until: null,
    off_until: null,
    on_seconds: 0,
    changed_at: null,
    pending: false,
  });
  await daemon.polled();
  expect(notes.list({}).notes.map(({ text }) => text)).toEqual(['Cold\n(Frost: 2 C below 5 C)']);
  const deed = { kind: 'output.automatic', target: output.unique_id, after: { channel: 0, state: 'on', cause } };
  expect(audited).toEqual(expect.arrayContaining([expect.objectContaining(deed)]));
  await live.stop();
});

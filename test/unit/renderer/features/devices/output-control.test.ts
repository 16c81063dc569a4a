// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { VBtn } from 'vuetify/components/VBtn';
import { VSlider } from 'vuetify/components/VSlider';
import OutputControl from '../../../../../renderer/features/devices/OutputControl.vue';
import type { CommandAnswer, Wanted } from '../../../../../renderer/features/devices/output-command.ts';
import { devices as ja } from '../../../../../renderer/i18n/ja/devices.ts';
import { ui as jaUi } from '../../../../../renderer/i18n/ja/ui.ts';
import { devices as ko } from '../../../../../renderer/i18n/ko/devices.ts';
import { ui as koUi } from '../../../../../renderer/i18n/ko/ui.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { mounted } from '../../ui/mounted.ts';

const outputId = '00000000-0000-4000-8000-00000000000a';
const state = {
  channel: 0,
  state: 'off',
  contact: null,
  quality: 'good',
  source: 'emergency_stop',
  actor: 'anna',
  reason: 'smoke',
  rule: 'emergency_stop',
  wanted: null,
  until: null,
  override_until: null,
  off_until: null,
  on_seconds: 0,
  changed_at: null,
  pending: false,
};
const device = {
  unique_id: outputId,
  name: 'Fan',
  kind: 'output',
  is_activated: true,
  channels: [{ channel: 0, name: 'Fan', kind: 'switch', is_cycled: false }],
  state: [state],
};
const vent = {
  ...device,
  channels: [{ channel: 0, name: 'Vent', kind: 'dimmer', is_cycled: false }],
  state: [{ ...state, state: 40, rule: null, source: 'automatic' }],
};

function controlOf(
  answer: object,
  run: (wanted: Wanted) => Promise<CommandAnswer> = () => Promise.reject(new Error('not asked')),
) {
  return mounted(OutputControl, {
    props: { name: 'Fan', outputId, channel: 0, run },
    fetch: async (address) => {
      const { pathname } = new URL(address instanceof Request ? address.url : String(address), 'https://here');
      const user = { unique_id: outputId, username: 'kim' };
      if (pathname === '/api/auth/login')
        return Response.json({ user, permissions: ['edit_controllers'], csrf_token: '' });
      return Response.json(pathname === '/api/geo/devices' ? { devices: [answer] } : {});
    },
  });
}
type Control = ReturnType<typeof controlOf>;

/** Whether each button that commands is locked. */
const lockedOf = (control: Control): unknown[] =>
  control
    .findAllComponents(VBtn)
    .filter((one) => one.classes('control__override') || one.attributes('aria-label')?.startsWith('Fan: Turn'))
    .map((one) => one.props('disabled'));

it('lets the slider follow the device again when a chosen position is not wanted', async () => {
  const control = mounted(OutputControl, {
    props: { name: 'Vent', outputId, channel: 0, run: () => Promise.reject(new Error('not asked')) },
    fetch: async () => Response.json({ devices: [vent] }),
  });
  await useLive().reload();
  const slider = control.getComponent(VSlider);
  const shown = () => slider.props('modelValue');
  slider.vm.$emit('update:modelValue', 75);
  await nextTick();
  expect(shown()).toBe(75);
  await control.get('button[aria-label="Vent: Cancel"]').trigger('click');
  expect(shown()).toBe(40);
});

it('is locked during an emergency stop, with the reason beside it, and free after it', async () => {
  const control = controlOf(device);
  await useSession().login({ username: 'kim', password: 'secret' });
  const live = useLive();
  await live.reload();
  live.emergency = { active: true, since: '2026-03-01T06:00:00.000Z', by: 'anna', reason: 'smoke' };
  await nextTick();
  expect(lockedOf(control)).toEqual([true, true, true]);
  expect(control.text()).toContain('Held safe by the emergency stop');
  live.emergency = { active: false, since: null, by: null, reason: null };
  await nextTick();
  expect(lockedOf(control)).toEqual([false, false, false]);
});

it('offers no switch for a vent before it is known what the channel is', async () => {
  const control = controlOf(vent);
  await useSession().login({ username: 'kim', password: 'secret' });
  expect(lockedOf(control)).toEqual([true]); // the override alone, in its place
  expect(control.find('.control__unread').exists()).toBe(true);
  await useLive().reload();
  expect(control.find('.control__unread').exists()).toBe(false);
  expect(control.findComponent(VSlider).exists()).toBe(true);
  expect(lockedOf(control)).toEqual([false]);
});

it('keeps its controls, locked, when the device is deactivated', async () => {
  const control = controlOf({ ...device, is_activated: false });
  await useSession().login({ username: 'kim', password: 'secret' });
  await useLive().reload();
  expect(lockedOf(control)).toEqual([true, true, true]);
});

it('offers the release of what was set by hand, and tells so before where it comes from', async () => {
  const byHand = { ...state, rule: null, source: 'manual' };
  const control = controlOf({ ...device, state: [byHand] });
  await useLive().reload();
  expect(control.find('.control__act').exists()).toBe(false); // may not
  await useSession().login({ username: 'kim', password: 'secret' });
  expect(control.get('.control__release').attributes('aria-label')).toBe('Release the override of Fan');
  expect(control.get('.control__told').text()).toMatch(/^Set by hand until the next automatic command.*Manual · anna/);
});

it('takes a waiting command back by another word than it forgets a chosen position', async () => {
  const kept = { value: 100, source: 'manual', actor: 'kim', until: null };
  const control = controlOf({ ...vent, state: [{ ...vent.state[0], kept }] });
  await useSession().login({ username: 'kim', password: 'secret' });
  await useLive().reload();
  control.getComponent(VSlider).vm.$emit('update:modelValue', 75);
  await nextTick();
  const acts = control.findAll('.control__act');
  expect(acts.map((one) => one.attributes('title') ?? one.text())).toEqual([
    'Set to 75\u202f%',
    'Fan: Cancel',
    'Take back',
  ]);
  expect(ko.hold.takeBack).not.toBe(koUi.cancel);
  expect(ja.hold.takeBack).not.toBe(jaUi.cancel);
});

it('takes the second of two taps on a position for no wish to wait', async () => {
  const run = vi.fn((_wanted: Wanted): Promise<CommandAnswer> => Promise.resolve({ outcome: 'blocked', message: '' }));
  const control = controlOf(vent, run);
  await useSession().login({ username: 'kim', password: 'secret' });
  await useLive().reload();
  vi.useFakeTimers();
  control.getComponent(VSlider).vm.$emit('update:modelValue', 75);
  await nextTick();
  await control.get('.control__act').trigger('click');
  await vi.advanceTimersByTimeAsync(200);
  const keep = control.get('.control__keep');
  await keep.trigger('click');
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(600);
  await keep.trigger('click');
  expect(run).toHaveBeenLastCalledWith({ state: true, position_pct: 75, keep: true });
  control.getComponent(VSlider).vm.$emit('update:modelValue', 20);
  await nextTick();
  await control.get('button[aria-label="Fan: Cancel"]').trigger('click');
  await control.get('.control__keep').trigger('click');
  expect(run).toHaveBeenCalledTimes(2);
});

const pausing = {
  ...state,
  rule: null,
  source: 'automatic',
  cause: {
    kind: 'climate',
    unique_id: outputId,
    name: 'Tomato',
    because: '',
    reason: { code: 'heat_pause', facts: { on_at: { at: '2026-03-01T06:03:00.000Z' } } },
  },
};

it.each([
  [Date.parse('2026-03-01T06:00:30.000Z'), /now in its pause.* · on in about 3 min$/],
  [Date.parse('2026-03-01T06:03:10.000Z'), /now in its pause.* · on soon$/],
])('says when what is off in the pause of its cycle comes on again, at %s', async (nowMs, said) => {
  vi.spyOn(Date, 'now').mockReturnValue(nowMs);
  const control = controlOf({ ...device, state: [pausing] });
  const live = useLive();
  await live.reload();
  live.stream = 'open';
  await nextTick();
  expect(control.get('.control__told').text()).toMatch(said);
});

it.each(['on', null])('foretells nothing of a device that is %s though it should pause', async (is) => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-01T06:00:30.000Z'));
  const control = controlOf({ ...device, state: [{ ...pausing, state: is }] });
  const live = useLive();
  await live.reload();
  live.stream = 'open';
  await nextTick();
  expect(control.get('.control__told').text()).not.toMatch(/on in about|on soon/);
});

it.each([
  ['a lamp', { ...device, state: [{ ...state, rule: null, source: 'manual', state: 'on' }] }, /· off in 5 min/],
  ['a vent', { ...vent, state: [{ ...vent.state[0], source: 'manual' }] }, /· ends in 5 min/],
  [
    'a vent under test',
    { ...vent, state: [{ ...vent.state[0], source: 'commissioning' }] },
    /^Commissioning · anna · .* · held by the check, then back to its previous state$/,
  ],
])('says what a command with an end leaves: %s', async (_what, one, said) => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-01T06:00:00.000Z'));
  const until = '2026-03-01T06:05:30.000Z';
  const control = controlOf({ ...one, state: one.state.map((channel) => ({ ...channel, until })) });
  const live = useLive();
  await live.reload();
  live.stream = 'open';
  await nextTick();
  expect(control.get('.control__told').text()).toMatch(said);
});

// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  holdingRules,
  type HeldBy,
  type HoldingRule,
  type OutputChannelState,
} from '../../../../../server/contract/output.ts';
import OutputHold from '../../../../../renderer/features/devices/OutputHold.vue';
import { releasable } from '../../../../../renderer/features/devices/release.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { stateOf } from '../../../../support/scripted-daemon.ts';
import { mounted } from '../../ui/mounted.ts';

const nowMs = Date.UTC(2026, 5, 1, 12);
const at = (seconds: number): string => new Date(nowMs + seconds * 1_000).toISOString();

function hold(is: Partial<OutputChannelState>): ReturnType<typeof mounted> {
  return mounted(OutputHold, {
    props: { state: stateOf(is), kind: 'switch' },
    fetch: async () => Response.json({ user: { username: 'anna' }, permissions: [], csrf_token: '' }),
  });
}

describe('what holds an output', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: nowMs });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is nothing where nothing does', () => {
    expect(hold({ source: 'automatic', reason: 'drying' }).text()).toBe('');
  });

  it.each(holdingRules)('is told in words: %s', (rule) => {
    expect(hold({ rule, reason: null }).text()).toMatch(/^(Held|Must rest) .{4,}/);
  });

  it('names the interlock, and what ends it', () => {
    const text = hold({ rule: 'interlock', reason: 'interlock "Roof"', held_by: { name: 'Roof' } }).text();
    expect(text).toContain('Held off: interlock (Roof)');
    expect(text).toContain('until the other actuator allows it');
  });

  it.each<[HoldingRule, HeldBy, string]>([
    ['wind', { limit: 10.8, unit: 'm/s' }, 'Held closed: wind (limit 10.8 m/s), until'],
    ['stale', { name: 'North, South' }, 'Held safe: no fresh reading (North, South), until'],
    ['current_limit', { limit: 16, unit: 'A' }, 'Held off: current limit of the site (limit 16.00 A), until'],
  ])('says by what it goes, and not in the words of the daemon: %s', (rule, held_by, said) => {
    expect(hold({ rule, reason: 'its own words', held_by }).text().replace(/\s+/g, ' ')).toContain(said);
  });

  it('says until when it must rest, also where nobody asks for it', () => {
    expect(hold({ rule: 'min_off', reason: 'it must stay off', off_until: at(90) }).text()).toContain('90 s left');
    expect(hold({ off_until: at(90) }).text()).toContain('90 s left');
    expect(hold({ off_until: at(-1) }).text()).toBe('');
  });

  const kept = { value: 'on', source: 'manual', actor: 'kim', reason: null, until: at(600) } as const;

  it('is told beside what waits for it', () => {
    const wrapper = hold({ rule: 'interlock', source: 'safety', wanted: 'on', kept });
    expect(wrapper.get('[data-kept]').text()).toMatch(/Waiting: on, asked for by kim, until .+ at the latest/i);
    const tomorrow = hold({ rule: 'wind', kept: { ...kept, until: at(90_000) } });
    expect(tomorrow.get('[data-kept]').text()).toMatch(/until .*Jun/);
    const standing = hold({ rule: 'wind', kept: { ...kept, source: 'automatic', actor: 'pid', until: null } });
    expect(standing.get('[data-kept]').text()).toMatch(/Waiting: on, asked for by pid$/i);
  });

  it('does not wait for what a controller asks for and is already so', () => {
    const standing = { ...kept, value: 'off', source: 'automatic', actor: 'Tomato', until: null } as const;
    const driven = { source: 'commissioning', wanted: 'off', kept: standing } as const;
    expect(
      hold({ ...driven, state: 'off' })
        .find('[data-kept]')
        .exists(),
    ).toBe(false);
    expect(
      hold({ ...driven, state: 'on' })
        .get('[data-kept]')
        .text(),
    ).toBe('Waiting: Off, asked for by Tomato');
    const byHand = { ...standing, source: 'manual', until: at(600) } as const;
    expect(
      hold({ ...driven, state: 'off', kept: byHand })
        .find('[data-kept]')
        .exists(),
    ).toBe(true);
  });

  it.each([
    ['expired', -60, /Override of kim ended at/],
    ['emergency_stop', -60, /ended by the emergency stop/],
    ['released', -60, /Override of kim released by anna at/],
    ['expired', -50_000, null],
  ] as const)('ended: %s, %i s ago', (ended_by, ago_s, said) => {
    const last = {
      ended_by,
      ended_at: at(ago_s),
      released_by: 'anna',
      actor: 'kim',
      value: 'on',
      override_until: null,
    };
    const shown = hold({ override_ended: last as OutputChannelState['override_ended'] }).find('[data-ended]');
    if (said === null) expect(shown.exists()).toBe(false);
    else expect(shown.text()).toMatch(said);
  });

  it('ended before midnight: with its day from then on, and with what was said with it', async () => {
    vi.setSystemTime(new Date(2026, 4, 31, 23, 59));
    const ended = { ended_by: 'expired', ended_at: new Date(2026, 4, 31, 23, 50).toISOString() } as const;
    const last = {
      ...ended,
      released_by: null,
      actor: 'kim',
      value: 'on',
      reason: 'drying',
      override_until: null,
    } as const;
    const shown = hold({ override_ended: last }).get('[data-ended]');
    expect(shown.text()).toBe('Override of kim ended at 23:50:00 (drying)');
    await vi.advanceTimersByTimeAsync(120_000);
    expect(shown.text()).toMatch(/^Override of kim ended at .*31.*, 23:50 \(drying\)$/);
  });

  it('does not tell a user of the release that was their own', async () => {
    const ended = { ended_by: 'released', ended_at: at(-60), released_by: 'anna' } as const;
    const shown = hold({ override_ended: { ...ended, actor: 'kim', value: 'on', override_until: null } });
    expect(shown.find('[data-ended]').exists()).toBe(true);
    await useSession().login({ username: 'anna', password: 'a long password' });
    expect(shown.find('[data-ended]').exists()).toBe(false);
  });

  it('says that a command by hand has no end, and until when an override holds', async () => {
    expect(hold({ source: 'manual', reason: 'drying' }).text()).toBe('Set by hand until the next automatic command');
    expect(hold({ source: 'safety', rule: 'wind' }).text()).not.toContain('by hand');
    const wrapper = hold({ source: 'manual', override_until: at(2) });
    expect(wrapper.text()).toContain('2 s left');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(wrapper.text()).toContain('until the next automatic command');
  });
});

describe('the release of an output', () => {
  const kept = { value: 'on', source: 'manual', actor: 'kim', reason: null, until: at(600) } as const;

  it.each<[string, Partial<OutputChannelState>, 'override' | 'kept' | null]>([
    ['of nothing', { source: 'automatic' }, null],
    ['of an override', { source: 'manual', override_until: at(600) }, 'override'],
    ['of an override held by a rule', { source: 'safety', rule: 'wind', override_until: at(600) }, 'override'],
    ['of an override that is over', { source: 'automatic', override_until: at(-1) }, null],
    ['of a command by hand', { source: 'manual' }, 'override'],
    ['of a command by hand that waits', { source: 'safety', rule: 'wind', kept }, 'kept'],
    ['of what a controller asks for', { source: 'safety', rule: 'wind', kept: { ...kept, source: 'automatic' } }, null],
  ])('is offered %s', (_what, is, offered) => {
    expect(releasable(stateOf(is), nowMs)).toBe(offered);
  });
});

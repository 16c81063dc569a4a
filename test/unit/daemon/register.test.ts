import { describe, expect, it } from 'vitest';
import { commandSources } from '../../../server/contract/output.ts';
import type { CommandSource } from '../../../server/contract/output.ts';
import { Register } from '../../../server/daemon/register.ts';
import type { Claim } from '../../../server/daemon/register.ts';

function claim(source: CommandSource, change: Partial<Claim> = {}): Claim {
  return { source, actor: `${source} actor`, value: 'on', hold: 'next_command', ends_at: null, ...change };
}

/** What is in effect and what waits. */
function standing(register: Register): [string | undefined, string | undefined] {
  return [register.effective()?.source, register.waiting()?.source];
}

describe('a second command after one that holds', () => {
  /** Rows: who holds. Columns: who comes. The cell: in effect / waiting. */
  const table: Record<CommandSource, Record<CommandSource, string>> = {
    emergency_stop: {
      emergency_stop: 'emergency_stop/-',
      safety: 'emergency_stop/safety',
      manual: 'emergency_stop/manual',
      commissioning: 'emergency_stop/commissioning',
      automatic: 'emergency_stop/automatic',
    },
    safety: {
      emergency_stop: 'emergency_stop/safety',
      safety: 'safety/-',
      manual: 'safety/manual',
      commissioning: 'safety/commissioning',
      automatic: 'safety/automatic',
    },
    manual: {
      emergency_stop: 'emergency_stop/manual',
      safety: 'safety/manual',
      manual: 'manual/-',
      commissioning: 'manual/commissioning',
      automatic: 'manual/automatic',
    },
    commissioning: {
      emergency_stop: 'emergency_stop/commissioning',
      safety: 'safety/commissioning',
      manual: 'manual/commissioning',
      commissioning: 'commissioning/-',
      automatic: 'commissioning/automatic',
    },
    automatic: {
      emergency_stop: 'emergency_stop/automatic',
      safety: 'safety/automatic',
      manual: 'manual/automatic',
      commissioning: 'commissioning/automatic',
      automatic: 'automatic/-',
    },
  };

  for (const first of commandSources) {
    it.each(commandSources)(`${first}, then %s`, (second) => {
      const register = new Register();
      register.submit(claim(first, { hold: 'released' }));
      const result = register.submit(claim(second, { hold: 'released' }));
      const [effective = '-', waiting = '-'] = standing(register);
      expect(`${effective}/${waiting}`).toBe(table[first][second]);
      expect(result).toBe(effective === second ? 'takes_effect' : 'waits');
    });
  }
});

describe('a command without a hold', () => {
  it.each(['automatic', 'commissioning'] as const)('of manual gives way to the next %s one', (next) => {
    const register = new Register();
    register.submit(claim('manual'));
    expect(register.submit(claim(next, { value: 'off' }))).toBe('takes_effect');
    expect(standing(register)).toEqual([next, undefined]);
  });

  it('ends what waited below it', () => {
    const register = new Register();
    register.submit(claim('automatic'));
    register.submit(claim('manual', { value: 'off' }));
    expect(standing(register)).toEqual(['manual', undefined]);
  });

  it('gives way under an emergency stop too, so that the newer command waits', () => {
    const register = new Register();
    register.submit(claim('emergency_stop', { hold: 'released', value: 'off' }));
    register.submit(claim('manual'));
    register.submit(claim('automatic', { value: 40 }));
    expect(standing(register)).toEqual(['emergency_stop', 'automatic']);
  });
});

describe('time', () => {
  it('ends a duration in off, without ending the hold', () => {
    const register = new Register();
    register.submit(claim('manual', { hold: 10_000, ends_at: 1_000 }));
    expect(register.nextChange()).toBe(1_000);
    register.expire(999);
    expect(register.effective()?.value).toBe('on');
    register.expire(1_000);
    expect(register.effective()).toMatchObject({ source: 'manual', value: 'off', hold: 10_000, ends_at: null });
  });

  it('lets a waiting command take effect when the override ends', () => {
    const register = new Register();
    register.submit(claim('automatic', { value: 30 }));
    register.submit(claim('manual', { value: 'off', hold: 5_000 }));
    register.expire(4_999);
    expect(standing(register)).toEqual(['manual', 'automatic']);
    expect(register.expire(5_000)).toMatchObject([{ source: 'manual', value: 'off' }]);
    expect(register.effective()).toMatchObject({ source: 'automatic', value: 30 });
  });

  it('ends an override that nobody waits for too', () => {
    const register = new Register();
    register.submit(claim('manual', { hold: 5_000 }));
    expect(register.expire(4_999)).toEqual([]);
    expect(register.expire(5_000)).toMatchObject([{ source: 'manual', value: 'on' }]);
    expect(standing(register)).toEqual([undefined, undefined]);
    expect(register.nextChange()).toBe(Infinity);
  });

  it('ends what was kept and could not act in time, not a standing demand', () => {
    const register = new Register();
    register.submit(claim('manual', { hold: 'released' }));
    register.submit(claim('commissioning', { hold: 'released', kept: { until: null } }));
    register.submit(claim('automatic', { kept: { until: 2_000 } }));
    expect(register.nextChange()).toBe(2_000);
    expect(register.expire(2_000)).toMatchObject([{ source: 'automatic' }]);
    expect(register.kept()).toMatchObject([{ source: 'commissioning' }]);
  });

  it('runs out the duration of a command that waits', () => {
    const register = new Register();
    register.submit(claim('manual', { value: 'off', hold: 5_000 }));
    register.submit(claim('automatic', { ends_at: 2_000 }));
    register.expire(5_000);
    expect(register.effective()).toMatchObject({ source: 'automatic', value: 'off' });
  });
});

describe('ending a claim', () => {
  it('releases one source and lets the next take effect', () => {
    const register = new Register();
    register.submit(claim('automatic', { value: 55 }));
    register.submit(claim('emergency_stop', { value: 'off', hold: 'released' }));
    expect(register.release('manual')).toBe(false);
    expect(register.release('emergency_stop')).toBe(true);
    expect(register.effective()).toMatchObject({ source: 'automatic', value: 55 });
  });

  it('goes back to a snapshot that later changes have not reached', () => {
    const register = new Register();
    register.submit(claim('manual', { value: 20, hold: 9_000, ends_at: 2_000 }));
    const before = register.snapshot();
    register.expire(3_000);
    register.submit(claim('manual', { value: 90 }));
    register.revert(before);
    expect(register.effective()).toMatchObject({ value: 20, hold: 9_000, ends_at: 2_000 });
  });

  it('turns what is in effect off and leaves what waits', () => {
    const register = new Register();
    register.submit(claim('automatic', { value: 80 }));
    register.submit(claim('manual', { hold: 9_000 }));
    register.cut();
    expect(register.effective()).toMatchObject({ source: 'manual', value: 'off' });
    expect(register.waiting()?.value).toBe(80);
  });
});

import { describe, expect, it } from 'vitest';
import { commandSources, type CommandSource } from '../../../../server/contract/output.ts';
import { PriorityArray, type Claim } from '../../../../server/daemon/controllers/output/priority-array.ts';

function claim(source: CommandSource, change: Partial<Claim> = {}): Claim {
  return { source, actor: `${source} actor`, value: 'on', hold: 'next_command', ends_at: null, ...change };
}

/** What is in effect and what waits. */
function standing(priorities: PriorityArray): [string | undefined, string | undefined] {
  return [priorities.effective()?.source, priorities.waiting()?.source];
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
      const priorities = new PriorityArray();
      priorities.submit(claim(first, { hold: 'released' }));
      const result = priorities.submit(claim(second, { hold: 'released' }));
      const [effective = '-', waiting = '-'] = standing(priorities);
      expect(`${effective}/${waiting}`).toBe(table[first][second]);
      expect(result).toBe(effective === second ? 'takes_effect' : 'waits');
    });
  }
});

describe('a command without a hold', () => {
  it.each(['automatic', 'commissioning'] as const)('of manual gives way to the next %s one', (next) => {
    const priorities = new PriorityArray();
    priorities.submit(claim('manual'));
    expect(priorities.submit(claim(next, { value: 'off' }))).toBe('takes_effect');
    expect(standing(priorities)).toEqual([next, undefined]);
  });

  it('ends what waited below it', () => {
    const priorities = new PriorityArray();
    priorities.submit(claim('automatic'));
    priorities.submit(claim('manual', { value: 'off' }));
    expect(standing(priorities)).toEqual(['manual', undefined]);
  });

  it('gives way under an emergency stop too, so that the newer command waits', () => {
    const priorities = new PriorityArray();
    priorities.submit(claim('emergency_stop', { hold: 'released', value: 'off' }));
    priorities.submit(claim('manual'));
    priorities.submit(claim('automatic', { value: 40 }));
    expect(standing(priorities)).toEqual(['emergency_stop', 'automatic']);
  });
});

describe('time', () => {
  it('ends a duration in off, without ending the hold', () => {
    const priorities = new PriorityArray();
    priorities.submit(claim('manual', { hold: 10_000, ends_at: 1_000 }));
    expect(priorities.nextChange()).toBe(1_000);
    priorities.expire(999);
    expect(priorities.effective()?.value).toBe('on');
    priorities.expire(1_000);
    expect(priorities.effective()).toMatchObject({ source: 'manual', value: 'off', hold: 10_000, ends_at: null });
  });

  it('lets a waiting command take effect when the override ends', () => {
    const priorities = new PriorityArray();
    priorities.submit(claim('automatic', { value: 30 }));
    priorities.submit(claim('manual', { value: 'off', hold: 5_000 }));
    priorities.expire(4_999);
    expect(standing(priorities)).toEqual(['manual', 'automatic']);
    expect(priorities.expire(5_000)).toMatchObject([{ source: 'manual', value: 'off' }]);
    expect(priorities.effective()).toMatchObject({ source: 'automatic', value: 30 });
  });

  it('ends an override that nobody waits for too', () => {
    const priorities = new PriorityArray();
    priorities.submit(claim('manual', { hold: 5_000 }));
    expect(priorities.expire(4_999)).toEqual([]);
    expect(priorities.expire(5_000)).toMatchObject([{ source: 'manual', value: 'on' }]);
    expect(standing(priorities)).toEqual([undefined, undefined]);
    expect(priorities.nextChange()).toBe(Infinity);
  });

  it('ends what was kept and could not act in time, not a standing demand', () => {
    const priorities = new PriorityArray();
    priorities.submit(claim('manual', { hold: 'released' }));
    priorities.submit(claim('commissioning', { hold: 'released', kept: { untilMs: null } }));
    priorities.submit(claim('automatic', { kept: { untilMs: 2_000 } }));
    expect(priorities.nextChange()).toBe(2_000);
    expect(priorities.expire(2_000)).toMatchObject([{ source: 'automatic' }]);
    expect(priorities.kept()).toMatchObject([{ source: 'commissioning' }]);
  });

  it('runs out the duration of a command that waits', () => {
    const priorities = new PriorityArray();
    priorities.submit(claim('manual', { value: 'off', hold: 5_000 }));
    priorities.submit(claim('automatic', { ends_at: 2_000 }));
    priorities.expire(5_000);
    expect(priorities.effective()).toMatchObject({ source: 'automatic', value: 'off' });
  });
});

describe('ending a claim', () => {
  it('releases one source and lets the next take effect', () => {
    const priorities = new PriorityArray();
    priorities.submit(claim('automatic', { value: 55 }));
    priorities.submit(claim('emergency_stop', { value: 'off', hold: 'released' }));
    expect(priorities.release('manual')).toBe(false);
    expect(priorities.release('emergency_stop')).toBe(true);
    expect(priorities.effective()).toMatchObject({ source: 'automatic', value: 55 });
  });

  it('goes back to a snapshot that later changes have not reached', () => {
    const priorities = new PriorityArray();
    priorities.submit(claim('manual', { value: 20, hold: 9_000, ends_at: 2_000 }));
    const before = priorities.snapshot();
    priorities.expire(3_000);
    priorities.submit(claim('manual', { value: 90 }));
    priorities.revert(before);
    expect(priorities.effective()).toMatchObject({ value: 20, hold: 9_000, ends_at: 2_000 });
  });

  it('turns what is in effect off and leaves what waits', () => {
    const priorities = new PriorityArray();
    priorities.submit(claim('automatic', { value: 80 }));
    priorities.submit(claim('manual', { hold: 9_000 }));
    priorities.cut();
    expect(priorities.effective()).toMatchObject({ source: 'manual', value: 'off' });
    expect(priorities.waiting()?.value).toBe(80);
  });
});

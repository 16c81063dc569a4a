import { expect, it } from 'vitest';
import type { DaemonEvent } from '../../../../server/contract/daemon.ts';
import { AutomaticDeeds } from '../../../../server/services/device/automatic-deeds.ts';

const output_id = '00000000-0000-4000-8000-00000000000a';
const causeOf = (unique_id: string) => ({ kind: 'pid', unique_id, name: unique_id, because: '20 C - 18 C = 2' });

function told(at_s: number, state: 'on' | 'off' | number, by: string | null, pending = false): DaemonEvent {
  return {
    id: `b:${at_s}`,
    at: new Date(at_s * 1000).toISOString(),
    kind: 'output',
    output_id,
    channel: 0,
    state,
    contact: null,
    quality: 'good',
    actor: by,
    reason: null,
    rule: null,
    wanted: null,
    until: null,
    override_until: null,
    off_until: null,
    on_seconds: 0,
    changed_at: null,
    pending,
    ...(by === null ? { source: 'manual' } : { source: 'automatic', cause: causeOf(by) }),
  };
}

it('records what takes an output over or changes it, once, with its rule and numbers', () => {
  const deeds = new AutomaticDeeds();
  const recorded = [
    told(1, 'off', null),
    told(2, 'off', 'a', true),
    told(3, 'on', 'a'),
    told(4, 'on', 'a'),
    told(5, 'off', 'a'),
    told(6, 'off', 'b'),
    told(7, 'on', null),
    told(8, 'on', 'b'),
  ].map((event) => deeds.entryOf(event));
  expect(recorded.map((entry) => entry && entry.at?.slice(17, 19))).toEqual(
    [undefined, undefined, '03', undefined, '05', '06', undefined, '08'], // seconds
  );
  expect(recorded[2]).toMatchObject({
    kind: 'output.automatic',
    target: output_id,
    after: { channel: 0, state: 'on', cause: causeOf('a') },
  });
});

it('tells of a valve that moves all day as much as an audit can hold, with how often it moved', () => {
  const deeds = new AutomaticDeeds();
  const moves = Array.from({ length: 17_280 }, (_, step) => told(5 * step, step % 100, 'a'));
  const entries = moves.map((event) => deeds.entryOf(event)).filter((entry) => entry !== undefined);
  expect(entries.length).toBe(12 + 24 * 6 - 1);
  expect(entries.at(-1)?.after).toMatchObject({ changes: 120 });
});

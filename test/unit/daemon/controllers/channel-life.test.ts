import { describe, expect, it } from 'vitest';
import {
  nextPhase,
  type ChannelPhase,
  type ChannelTransition,
} from '../../../../server/daemon/controllers/output/channel-life.ts';

const events: readonly ChannelTransition[] = [
  ...(['take_up', 'take_up_safe', 'take_up_held'] as const),
  ...(['come_back', 'learn_state', 'forget', 'shut_down'] as const),
];

/** Of each phase, where each event leads; a dot where it changes nothing. */
const expected: readonly [ChannelPhase, string][] = [
  ['down', 'settled recalling held_back . . . .'],
  ['held_back', '. . . settled . . down'],
  ['recalling', '. . . . settled settled down'],
  ['settled', '. . . . . . down'],
];

describe('the life of a channel', () => {
  const cells = expected.flatMap(([phase, row]) =>
    row.split(' ').map((next, column) => ({ phase, event: events[column] ?? 'forget', next })),
  );

  it.each(cells)('$phase, $event: $next', ({ phase, event, next }) => {
    expect(nextPhase(phase, event, true) ?? '.').toBe(next);
  });

  it('waits for the state of the device before what was held back comes back', () => {
    expect(nextPhase('held_back', 'come_back', false)).toBe('recalling');
  });
});

import type { Output, OutputChannelState } from '../../../../server/contract/output.ts';

/**
 * Total current in A of channels that are on, or whose state is unknown; and how many channels have a known current.
 * Like the limit itself, counts only active outputs.
 */
export function drawnNow(
  outputs: readonly Output[],
  stateOf: (outputId: string, channel: number) => OutputChannelState | undefined,
): { drawn_a: number; counted: number } {
  let [drawn_a, counted] = [0, 0];
  for (const { unique_id, channels } of outputs.filter(({ is_activated }) => is_activated)) {
    for (const { channel, current_a } of channels) {
      if (current_a === null) continue;
      counted += 1;
      const known = stateOf(unique_id, channel);
      const state = known?.contact ?? known?.state;
      if (state !== 'off' && state !== 0) drawn_a += current_a;
    }
  }
  return { drawn_a, counted };
}

import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import type { Input } from '../../../../server/contract/input.ts';
import { InputOutputs } from '../../../../server/daemon/controllers/input-outputs.ts';
import { confirmed } from '../../../../server/daemon/outcomes.ts';
import { heaterId, indoorId, plainChannel } from '../../../support/daemon-site.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const input: Input = {
  ...{ unique_id: indoorId, name: 'indoor', driver: 'scripted', options: {}, period_s: 10, start_offset_s: 0 },
  ...{ pre_output: { output_id: heaterId, lead_s: 1, while_measuring: true }, power_output: null },
  ...{ channels: [plainChannel], is_activated: true },
};

it('leaves nothing with the signal that ends the input, however often it reads', async () => {
  const clock = new ManualClock();
  const { signal } = new AbortController();
  const outputs = new InputOutputs({ clock, command: async () => confirmed });
  for (const round of [1, 2, 3]) {
    const reading = outputs.around(input, async () => round, signal);
    await clock.advance(2_000);
    expect(await reading).toBe(round);
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import type { OutputCommand } from '../../../../server/contract/daemon.ts';
import type { Input } from '../../../../server/contract/input.ts';
import { InputOutputs } from '../../../../server/daemon/controllers/input/input-outputs.ts';
import { confirmed } from '../../../../server/daemon/drivers/outcomes.ts';
import { heaterId, indoorId, plainChannel } from '../../../support/daemon-site.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const input: Input = {
  unique_id: indoorId,
  name: 'indoor',
  driver: 'scripted',
  options: {},
  period_s: 10,
  start_offset_s: 0,
  pre_output: { output_id: heaterId, lead_s: 1, while_measuring: true },
  power_output: null,
  channels: [plainChannel],
  is_activated: true,
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

it('loses its turn where it hangs, and touches the output no more: the next input is read', async () => {
  const clock = new ManualClock();
  const { signal } = new AbortController();
  const switched: [string | undefined, boolean][] = [];
  const command = async ({ actor, state }: OutputCommand) => {
    switched.push([actor, state]);
    return confirmed;
  };
  const outputs = new InputOutputs({ clock, command });
  const hanging = Promise.withResolvers<number>();
  const lost = outputs.around(input, () => hanging.promise, signal).catch(String);
  const next = outputs.around({ ...input, name: 'next' }, async () => 2, signal);
  await clock.advance(20_999);
  expect(switched).toEqual([['input indoor', true]]);
  await clock.advance(1);
  expect(await lost).toContain('lost its turn');
  await clock.advance(500);
  hanging.resolve(1);
  await clock.advance(500);
  expect(await next).toBe(2);
  expect(switched.slice(1)).toEqual([
    ['input indoor', false],
    ['input next', true],
    ['input next', false],
  ]);
});

// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import { useTrends } from '../../../../../renderer/features/house/use-trends.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { mounted } from '../../ui/mounted.ts';

const hourMs = 3_600_000;
const nowMs = Date.now();
const probe = {
  device_id: '00000000-0000-4000-8000-00000000000a',
  measurement_id: '00000000-0000-4000-8000-00000000000b',
};

const Shown = defineComponent(() => {
  const trends = useTrends(() => [probe]);
  return () =>
    h(
      'p',
      trends
        .of(probe.measurement_id)
        .map(({ value }) => value ?? '-')
        .join(),
    );
});

it('fills what was measured while the stream was broken from the store, once the stream is there again', async () => {
  let stored = { times: [nowMs - 5 * hourMs], values: [5] };
  const shown = mounted(Shown, {
    fetch: (address) =>
      Promise.resolve(
        typeof address === 'string' && address.startsWith('/api/auth')
          ? Response.json({ user: { username: 'kim' }, permissions: ['view_stats'], csrf_token: '' })
          : Response.json({ series: [{ ...probe, ...stored }] }),
      ),
  });
  const live = useLive();
  const settle = async (): Promise<string> => {
    for (let turn = 0; turn < 5; turn += 1) await flushPromises();
    return shown.text();
  };
  await useSession().login({ username: 'kim', password: 'a long password' });
  live.devices = [];
  expect(await settle()).toBe('5');
  const values = [5, 4, 3, 2];
  stored = { times: values.map((hours) => nowMs - hours * hourMs), values };
  live.devices = [];
  expect(await settle()).toBe('5,4,3,2');
});

// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { useLive } from '../../../../renderer/stores/live.ts';
import { useSafeOutputs } from '../../../../renderer/stores/safe-outputs.ts';
import { useSession } from '../../../../renderer/stores/session.ts';
import { mounted } from '../ui/mounted.ts';

afterEach(() => vi.useRealTimers());

const stop = { active: true, since: '2026-03-01T06:00:00.000Z', by: 'kim', reason: null };

it.each([
  { outcome: 'pending', isHidden: false, asked: 10 },
  { outcome: 'confirmed', isHidden: false, asked: 1 },
  { outcome: 'pending', isHidden: true, asked: 0 },
])(
  'asks in 30 s of a stop: $asked times while outputs are $outcome, hidden: $isHidden',
  async ({ outcome, isHidden, asked }) => {
    vi.useFakeTimers();
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isHidden ? 'hidden' : 'visible');
    const outputs = [{ output_id: 'vent', channel: 0, outcome, message: '' }];
    const asks = vi.fn(() => Response.json({ ...stop, outputs }));
    const user = { user: { username: 'kim' }, permissions: ['view_stats'], csrf_token: '' };
    mounted(
      defineComponent(() => {
        useSafeOutputs();
        return () => h('p');
      }),
      { fetch: async (address) => (address === '/api/emergency_stop' ? asks() : Response.json(user)) },
    );
    await useSession().login({ username: 'kim', password: 'a long password' });
    useLive().emergency = stop;
    await flushPromises();
    await vi.advanceTimersByTimeAsync(10);
    asks.mockClear(); // the first one is at once
    await vi.advanceTimersByTimeAsync(30_000);
    expect(asks).toHaveBeenCalledTimes(asked);
    hidden.mockRestore();
  },
);

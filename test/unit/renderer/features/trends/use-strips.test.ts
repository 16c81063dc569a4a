// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, h, shallowRef } from 'vue';
import type { OutputChannel } from '../../../../../renderer/features/trends/states.ts';
import { useStrips } from '../../../../../renderer/features/trends/use-strips.ts';
import { mounted } from '../../ui/mounted.ts';

const span = { from_ms: 0, to_ms: 3_600_000 };
const heater = { key: 'a/0', device_id: 'a', channel: 0, house: '', device: 'Relay', name: 'Heater', isSwitch: true };
const states = [{ from_ms: 0, to_ms: 3_600_000, state: 100 }];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Strips of outputs that may be named anew; `asked` counts what the server was asked. */
async function strips(first: readonly OutputChannel[]) {
  const outputs = shallowRef(first);
  const asked: string[] = [];
  let used: ReturnType<typeof useStrips> | undefined;
  mounted(
    defineComponent(() => {
      used = useStrips(() => ({ outputs: outputs.value, span }));
      return () => h('i');
    }),
    {
      fetch: (address) => {
        asked.push(address instanceof Request ? address.url : String(address));
        return Promise.resolve(Response.json({ states, switches: [], is_complete: true }));
      },
    },
  );
  const settle = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(1_000);
    await flushPromises();
  };
  await settle();
  if (used === undefined) throw new Error('not set up');
  return { outputs, strips: used.strips, asked, settle };
}

it('takes the names that houses and language give an output after its states were read', async () => {
  const { outputs, strips: shown, asked, settle } = await strips([heater]);
  expect(shown.value).toMatchObject([{ house: '', name: 'Heater', states }]);
  outputs.value = [{ ...heater, house: 'North', name: '난방기' }];
  await settle();
  expect(shown.value).toMatchObject([{ house: 'North', name: '난방기', states }]);
  expect(asked).toHaveLength(2); // its states and its switches, once
});

it('shows an output no more once it is not chosen', async () => {
  const { outputs, strips: shown } = await strips([heater]);
  outputs.value = [];
  expect(shown.value).toEqual([]);
});

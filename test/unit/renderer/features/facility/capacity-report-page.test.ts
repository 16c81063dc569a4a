// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import CapacityReportPage from '../../../../../renderer/features/facility/CapacityReportPage.vue';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { mounted } from '../../ui/mounted.ts';

const [mine, other] = ['6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a10', '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a11'];
const listeners = new Map<string, (event: Event) => void>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'EventSource',
    class {
      readyState = 1;
      addEventListener = (kind: string, listener: (event: Event) => void) => void listeners.set(kind, listener);
      close = () => undefined;
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function tell(facility_uuid: string): void {
  const change = { kind: 'facility', id: 'b:1', at: '2026-03-01T06:00:00.000Z', state: 'living', revision: 2 };
  const data = JSON.stringify({ ...change, facility_uuid, geo_id: other });
  listeners.get('facility')?.(new MessageEvent('facility', { data, lastEventId: 'b:1' }));
}

it('calculates anew when its house is changed elsewhere, and not for another one', async () => {
  let reads = 0;
  mounted(CapacityReportPage, {
    props: { facilityUuid: mine },
    fetch: (address) => {
      if (address === `/api/geo/facility/${mine}`) reads += 1;
      return new Promise(() => undefined);
    },
  });
  vi.spyOn(useSession(), 'can').mockReturnValue(true);
  useLive().start();
  await flushPromises();
  expect(reads).toBe(1);
  tell(other);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reads).toBe(1);
  tell(mine);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reads).toBe(2);
});

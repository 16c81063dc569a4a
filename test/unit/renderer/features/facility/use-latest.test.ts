// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick, ref } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useLatest, type Latest } from '../../../../../renderer/features/facility/use-latest.ts';
import { useFacilities } from '../../../../../renderer/stores/facility.ts';
import type { ComputeRequest, ComputeResult } from '../../../../../server/contract/facility.ts';
import { computeCapacity } from '../../../../../server/domain/capacity/compute.ts';

function request(length_m: number): ComputeRequest {
  const envelope = { material: 'po_film', bay_width_m: 8, length_m, eave_height_m: 3, ridge_height_m: 4.5 };
  return { envelope, bay_count: 1 };
}

interface Waiting {
  asked: ComputeRequest;
  signal: AbortSignal;
  answer: () => void;
}

let waiting: Waiting[];

/** Answers as the server does, when the test says so; an aborted call is refused as browsers refuse it. */
const slowFetch: typeof fetch = (_address, init) =>
  new Promise((resolve, reject) => {
    if (typeof init?.body !== 'string') throw new Error('a JSON text was expected');
    const asked = JSON.parse(init.body) as ComputeRequest; // what the code under test has just serialised
    const { signal } = init;
    if (signal == null) throw new Error('a compute call must be abortable');
    signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    waiting.push({ asked, signal, answer: () => resolve(Response.json(computeCapacity(asked))) });
  });

function setUp(first: ComputeRequest | null): {
  entered: { value: ComputeRequest | null };
  capacity: Latest<ComputeResult>;
} {
  const entered = ref(first);
  let capacity: Latest<ComputeResult> | undefined;
  const host = defineComponent({
    setup() {
      capacity = useLatest(() => entered.value, useFacilities().compute);
      return () => h('div');
    },
  });
  mount(host, { global: { plugins: [createPinia()], provide: { [clientKey as symbol]: new ApiClient(slowFetch) } } }); // an InjectionKey is a symbol
  if (capacity === undefined) throw new Error('not mounted');
  return { entered, capacity };
}

const settle = async (): Promise<void> => {
  await nextTick();
  await vi.advanceTimersByTimeAsync(0);
};

beforeEach(() => {
  vi.useFakeTimers();
  waiting = [];
});
afterEach(() => {
  vi.useRealTimers();
});

describe('useLatest', () => {
  it('asks once after typing has rested for 150 ms', async () => {
    const { entered, capacity } = setUp(null);
    await vi.advanceTimersByTimeAsync(500);
    expect(waiting).toEqual([]);
    for (const length of [1, 10, 100]) {
      entered.value = request(length);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(waiting).toEqual([]);
    await vi.advanceTimersByTimeAsync(50);
    expect(waiting.map(({ asked }) => asked.envelope.length_m)).toEqual([100]);
    expect(capacity.isBusy.value).toBe(true);
    waiting[0]?.answer();
    await settle();
    expect(capacity.result.value?.area_m2).toBe(800);
    expect(capacity.isCurrent.value).toBe(true);
    expect(capacity.isBusy.value).toBe(false);
  });

  it('aborts what was asked before and never shows it, and marks old figures meanwhile', async () => {
    const { entered, capacity } = setUp(request(10));
    await vi.advanceTimersByTimeAsync(150);
    waiting[0]?.answer();
    await settle();
    entered.value = request(20);
    await vi.advanceTimersByTimeAsync(150);
    expect(capacity.isCurrent.value).toBe(false);
    expect(capacity.result.value?.area_m2).toBe(80);
    entered.value = request(30);
    await vi.advanceTimersByTimeAsync(150);
    expect(waiting[1]?.signal.aborted).toBe(true);
    waiting[2]?.answer();
    waiting[1]?.answer();
    await settle();
    expect(capacity.result.value?.area_m2).toBe(240);
    expect(capacity.error.value).toBeNull();
  });

  it('asks nothing of what is incomplete and stops asking', async () => {
    const { entered, capacity } = setUp(request(10));
    await vi.advanceTimersByTimeAsync(150);
    entered.value = null;
    await vi.advanceTimersByTimeAsync(150);
    expect(waiting).toHaveLength(1);
    expect(waiting[0]?.signal.aborted).toBe(true);
    expect(capacity.isBusy.value).toBe(false);
    expect(capacity.result.value).toBeNull();
  });
});

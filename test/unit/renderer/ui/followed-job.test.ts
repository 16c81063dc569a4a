// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { ApiClient, clientKey } from '../../../../renderer/client/client.ts';
import { useFollowedJob } from '../../../../renderer/ui/followed-job.ts';

const job_id = '0c5e91f2-5f1c-4b52-9f39-0d4d3ad7a111';
let asked: string[];

/** A server on which the job runs for ever. */
const server: typeof fetch = async (_address, init) => {
  asked.push(init?.method ?? 'GET');
  const job = { job_id, kind: 'backup.create', status: 'running', done: 0, total: 1, ended_at: null };
  return Response.json({ ...job, created_at: '2026-11-23T03:00:00.000Z' });
};

function page(options?: { goesOn: boolean }) {
  const host = defineComponent({
    setup() {
      void useFollowedJob(options).follow(job_id);
      return () => h('div');
    },
  });
  return mount(host, { global: { provide: { [clientKey as symbol]: new ApiClient(server) } } }); // an InjectionKey is a symbol
}

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
});
afterEach(() => void vi.useRealTimers());

describe('a job whose page is left', () => {
  it.each([
    ['ends where nobody would see its result', undefined, ['GET', 'DELETE']],
    ['goes on where it is done for its own sake, and is asked after no more', { goesOn: true }, ['GET']],
  ])('%s', async (_what, options, expected) => {
    const wrapper = page(options);
    await vi.advanceTimersByTimeAsync(100);
    wrapper.unmount();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toEqual(expected);
  });
});

import { expect, it } from 'vitest';
import type { LastValue } from '../../../../server/contract/measurement.ts';
import { SampleBatches } from '../../../../server/services/measurement/sample-batches.ts';

type Fault = { code: string; message: string } | null;

const sample = (value: number): LastValue => ({
  device_id: 'd',
  measurement_id: 'm',
  channel: 0,
  unit: 'C',
  time_ms: value,
  value,
  quality: 'good',
});

it('sends together what came while a call was under way, and tells each how its own ended', async () => {
  const calls: { values: (number | null)[]; answer: (faults: Fault[]) => void; fail: (error: Error) => void }[] = [];
  let transactions = 0;
  const noted: number[] = [];
  const together = <Result>(work: () => Result): Result => {
    transactions += 1;
    return work();
  };
  const daemon = {
    measurements_create: (samples: readonly LastValue[]) =>
      new Promise<Fault[]>((answer, fail) => calls.push({ values: samples.map(({ value }) => value), answer, fail })),
  };
  const batches = new SampleBatches({ daemon, later: { together } });
  const added = Array.from({ length: 503 }, (_, value) => batches.add(sample(value), () => noted.push(value)));
  const outcomes = Promise.allSettled(added);
  calls[0]?.answer([null]);
  await expect.poll(() => calls.length).toBe(2);
  expect([calls[0]?.values, calls[1]?.values.length]).toEqual([[0], 500]);
  calls[1]?.answer(Array.from({ length: 500 }, (_, at) => (at === 7 ? { code: 'not_found', message: 'gone' } : null)));
  const notedInOneTurn = await new Promise<number>((resolve) => setImmediate(() => resolve(noted.length)));
  await expect.poll(() => calls.length).toBe(3);
  calls[2]?.fail(new Error('the daemon went'));
  const statuses = (await outcomes).map(({ status }) => status);
  expect(statuses.filter((status) => status === 'rejected')).toHaveLength(3);
  expect([transactions, noted.length, noted.includes(8)]).toEqual([26, 500, false]);
  // 500 answers at once would hold up everybody else.
  expect(notedInOneTurn).toBeLessThan(50);
  await expect(added[8]).rejects.toMatchObject({ code: 'not_found' });
  await expect(added[502]).rejects.toThrow('the daemon went');
  const again = batches.add(sample(1), () => undefined);
  calls[3]?.answer([null]);
  await again;
});

import { expect, it } from 'vitest';
import type { LastValue } from '../../../../server/contract/measurement.ts';
import { EventRing } from '../../../../server/daemon/events/events.ts';
import { LiveValues } from '../../../../server/daemon/events/live-values.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const reading: Omit<LastValue, 'value' | 'time_ms'> = {
  device_id: '00000000-0000-4000-8000-000000000001',
  measurement_id: '00000000-0000-4000-8000-000000000002',
  channel: 0,
  unit: 'C',
  quality: 'good',
};

function bench() {
  const clock = new ManualClock();
  const events = new EventRing(clock);
  const live = new LiveValues(clock, events);
  const record = (value: number, change: Partial<LastValue> = {}): void =>
    live.record({ ...reading, value, time_ms: clock.now(), ...change });
  const told = async (): Promise<unknown[]> => {
    const answer = await events.since(`${events.boot_id}:0`, 0, new AbortController().signal);
    return answer.events.map((event) => event.kind === 'measurement' && event.value);
  };
  return { clock, live, record, told };
}

it('tells at most four values a second of a channel, and always the newest', async () => {
  const { clock, record, told } = bench();
  for (let n = 0; n < 100; n += 1) {
    record(n);
    await clock.advance(10);
  }
  await clock.advance(250);
  expect(await told()).toEqual([0, 24, 49, 74, 99]);
});

it('tells each channel for itself', async () => {
  const { record, told } = bench();
  record(1);
  record(2, { measurement_id: '00000000-0000-4000-8000-000000000003' });
  expect(await told()).toEqual([1, 2]);
});

it('gives the last value while it is young enough', async () => {
  const { clock, live, record } = bench();
  record(21);
  await clock.advance(5_000);
  expect(live.last(reading.device_id, reading.measurement_id)?.value).toBe(21);
  expect(live.last(reading.device_id, reading.measurement_id, 5)?.value).toBe(21);
  expect(live.last(reading.device_id, reading.measurement_id, 4.9)).toBeUndefined();
});

it('grows old by the time that passes, however the clock is set', async () => {
  const { clock, live, record } = bench();
  const year = 365 * 86_400_000;
  const age = () => live.all()[0]?.age_s;
  clock.setTimeOfDay(clock.now() + year);
  record(21);
  clock.setTimeOfDay(clock.now() - year);
  await clock.advance(5_000);
  expect([age(), live.last(reading.device_id, reading.measurement_id, 4.9)]).toEqual([5, undefined]);
  record(22);
  clock.setTimeOfDay(clock.now() + year);
  await clock.advance(2_000);
  expect([age(), live.last(reading.device_id, reading.measurement_id, 2)?.value]).toEqual([2, 22]);
});

it('is as old as its own time says when it comes', () => {
  const { clock, live, record } = bench();
  record(21, { time_ms: clock.now() - 60_000 });
  expect(live.all()[0]?.age_s).toBe(60);
});

it('forgets a device, and what it still had to tell', async () => {
  const { clock, live, record, told } = bench();
  record(1);
  record(2);
  live.forget(reading.device_id);
  await clock.advance(1_000);
  expect(await told()).toEqual([1]);
  expect(live.all()).toEqual([]);
});

// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import {
  calculated,
  houseReading,
  useReadingOf,
  type Reading,
} from '../../../../../renderer/features/house/reading.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import type { SensorBinding } from '../../../../../server/contract/facility-binding.ts';
import type { RuntimeResult, SensorReading } from '../../../../../server/contract/facility-live.ts';
import { mounted } from '../../ui/mounted.ts';

const nowMs = Date.UTC(2026, 5, 1, 12);
const ago = (s: number): string => new Date(nowMs - s * 1_000).toISOString();
const [device_id, measurement_id] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const binding: SensorBinding = { role: 'indoor_temp', device_id, measurement_id, name: 'Bench' };

/** The reading of a thermometer by what the device list and the house's runtime say of it. */
async function readingBy(
  told: { value: number | null; time: string; quality?: string },
  sensor: Partial<SensorReading> | null,
): Promise<Reading> {
  let readingOf: ReturnType<typeof useReadingOf> | undefined;
  const host = defineComponent({
    setup() {
      readingOf = useReadingOf();
      return () => h('i');
    },
  });
  const last = { quality: 'good', ...told };
  const channel = { channel: 0, name: 'Temperature', measurement_id, unit: 'C', last };
  const device = { unique_id: device_id, kind: 'input', name: 'Bench', channels: [channel], stale_after_s: 900 };
  mounted(host, { fetch: async () => Response.json({ devices: [device] }) });
  await useLive().reload();
  const said = { ...binding, value: 20, unit: 'C', age_s: 60, quality: 'good', time: ago(60), ...sensor };
  const runtime = sensor === null ? undefined : ({ sensors: [said] } as unknown as RuntimeResult); // all it reads
  if (readingOf === undefined) throw new Error('the host was not set up');
  return readingOf(binding, runtime);
}

describe('a reading of a house', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: nowMs });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is the newer of both', async () => {
    expect(await readingBy({ value: 21, time: ago(5) }, {})).toMatchObject({ value: 21, quality: 'good' });
    expect(await readingBy({ value: 21, time: ago(90) }, {})).toMatchObject({ value: 20, quality: 'good' });
  });

  it.each([
    ['suspect', 'good', 'suspect'],
    ['error', 'good', 'error'],
    ['missing', 'good', 'good'],
    ['stale', 'good', 'good'],
    ['good', 'bad', 'bad'],
    ['suspect', 'bad', 'bad'],
  ] as const)('that the server called %s and its device now %s is %s', async (quality, told, shown) => {
    const newer = { value: 21, time: ago(5), quality: told };
    expect(await readingBy(newer, { quality })).toMatchObject({ value: 21, quality: shown });
  });

  it.each([
    [240, 'good'],
    [901, 'stale'],
  ])('%i s after it was read every 5 min is %s', async (age_s, quality) => {
    expect(await readingBy({ value: 21, time: ago(age_s) }, null)).toMatchObject({ value: 21, quality });
  });
});

describe('the reading of a house', () => {
  const one = (value: number | null, age_s: number, quality: Reading['quality'] = 'good'): Reading => ({
    binding,
    value,
    unit: 'C',
    timeMs: nowMs - age_s * 1_000,
    quality,
  });
  const runtime = { indoor: { temp_c: 22 } } as unknown as RuntimeResult; // all it reads

  it('is that of its only sensor, or the mean of several, as old as the oldest of them', () => {
    expect(houseReading('indoor_temp', [one(20, 5)], runtime)).toMatchObject({ value: 20, quality: 'good' });
    const both = [one(null, 3_600, 'missing'), one(22, 90), one(22, 840)];
    expect(houseReading('indoor_temp', both, runtime)).toEqual({
      value: 22,
      unit: 'C',
      timeMs: nowMs - 840_000,
      quality: 'good',
    });
    expect(houseReading('indoor_temp', both, undefined)).toMatchObject({ value: null, quality: 'missing' });
    expect(houseReading('indoor_co2', both, runtime)).toBeNull();
  });

  it('of several that are all old is old, since the newest of them', () => {
    const old = [one(22, 3_600, 'stale'), one(22, 1_800, 'stale')];
    expect(houseReading('indoor_temp', old, runtime)).toMatchObject({
      value: 22,
      timeMs: nowMs - 1_800_000,
      quality: 'stale',
    });
  });

  it('that is calculated from two roles is old with either of them', () => {
    const humid = (age_s: number, quality: Reading['quality']): Reading => ({
      ...one(80, age_s, quality),
      binding: { ...binding, role: 'indoor_humidity' },
    });
    const of = (...readings: Reading[]) => calculated(0.5, ['indoor_temp', 'indoor_humidity'], readings);
    expect(of(one(22, 5), humid(60, 'good'))).toEqual({ value: 0.5, timeMs: nowMs - 60_000, quality: 'good' });
    expect(of(one(22, 5), humid(3_600, 'stale'))).toEqual({ value: 0.5, timeMs: nowMs - 3_600_000, quality: 'stale' });
    expect(of()).toEqual({ value: 0.5, timeMs: undefined, quality: 'stale' });
  });
});

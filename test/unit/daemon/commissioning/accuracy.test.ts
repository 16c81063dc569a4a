import { describe, expect, it } from 'vitest';
import type { ReferenceReading } from '../../../../server/contract/commissioning-accuracy.ts';
import { Sampler } from '../../../../server/daemon/commissioning/sampler.ts';
import { plausibilityChecks, sensorResult } from '../../../../server/domain/commissioning/sensor-checks.ts';
import { commissioningBench, newFacility, newSensor } from '../../../support/commissioning-bench.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

type Sensor = NonNullable<NonNullable<Parameters<typeof commissioningBench>[0]>['sensors']>[number];

/** A thermometer alone in a house, tested, and what it says now. */
async function tested(sensor: Partial<Sensor> = {}) {
  const bench = commissioningBench({ sensors: [{ role: 'indoor_temp', ...sensor }], actuators: [] });
  await bench.start();
  const { check_id } = await bench.run();
  const [input] = bench.inputs;
  const [device_id, measurement_id] = [input?.unique_id ?? '', input?.channels[0]?.measurement_id ?? ''];
  const now = (): number => bench.live.last(device_id, measurement_id)?.value ?? NaN;
  const hold = (reading: Partial<ReferenceReading>) =>
    bench.engine.holdAgainst(check_id, { device_id, measurement_id, point: 1, reference: now(), ...reading }, 'kim');
  return { bench, check_id, hold, now };
}

describe('a sensor held against a reference', () => {
  it('is judged by what the daemon heard of it, and by two points', async () => {
    const { hold, now, bench, check_id } = await tested();
    const [said, instrument] = [now(), 'PT100 no. 7'];
    const first = await hold({ reference: said - 0.2, instrument });
    expect(first.accuracy).toMatchObject({ unit: 'C', passed: null, gain: null, points: [{ instrument, by: 'kim' }] });
    expect(first.accuracy?.points[0]?.error).toBeCloseTo(0.2, 1);
    expect(first.accuracy?.points[0]?.count).toBeGreaterThan(3);
    // The house stays as it is, so the second reference is far off: an error, and a gain all the same.
    expect(first).toMatchObject({ result: 'ok', findings: [{ code: 'held_to_reference' }] });
    const second = await hold({ point: 2, reference: said - 4 });
    expect(second.accuracy).toMatchObject({ passed: false, points: [{ point: 1 }, { point: 2, passed: false }] });
    expect(second.accuracy?.gain).toBeCloseTo(0, 1);
    // A level that nothing else proves stands and falls with the reference.
    expect(second).toMatchObject({ verdict: 'none', result: 'warn', findings: [{ code: 'off_reference' }] });
    expect(bench.store.stored.get(check_id)?.check.items[0]?.accuracy).toEqual(second.accuracy);
  });

  it('may be given its own allowed error', async () => {
    const { hold, now } = await tested();
    const item = await hold({ reference: now() - 0.4, allowed_error: 0.3 });
    expect(item.accuracy).toMatchObject({ passed: false, points: [{ allowed: 0.3 }] });
  });

  it('is refused while the sensor moves by more than is to be judged', async () => {
    const { hold } = await tested({ fault: { kind: 'noisy', sd: 0.1 } });
    await expect(hold({ allowed_error: 0.001 })).rejects.toMatchObject({ code: 'not_steady' });
  });

  it('is refused for a sensor that fell silent, and for one that is not in the check', async () => {
    const { hold, bench } = await tested();
    const [nobody, input] = ['00000000-0000-4000-8000-0000000000ff', bench.inputs[0]];
    await expect(hold({ device_id: nobody })).rejects.toMatchObject({ code: 'not_in_check' });
    await expect(hold({ measurement_id: nobody })).rejects.toMatchObject({ code: 'not_in_check' });
    if (input !== undefined) await bench.reading.deactivate(input.unique_id);
    await bench.clock.advance(60_000);
    await expect(hold({ reference: 12 })).rejects.toMatchObject({ code: 'no_reading' });
  });

  it('is refused before all is tested', async () => {
    const bench = commissioningBench({ sensors: [{ role: 'indoor_temp' }], actuators: [] });
    await bench.start();
    const { check_id, items } = await bench.engine.begin(bench.facility.unique_id, null, 'kim');
    const { device_id = '', measurement_id } = items[0] ?? {};
    const reading = { device_id, measurement_id: measurement_id ?? '', point: 1, reference: 12 } as const;
    await expect(bench.engine.holdAgainst(check_id, reading, 'kim')).rejects.toMatchObject({ code: 'not_judgeable' });
    await expect(bench.engine.holdAgainst('nowhere', reading, 'kim')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a light sensor', () => {
  it.each([
    ['W/m2', 500],
    ['lx', 55_500],
    ['umol/m2/s', 1_028],
  ])('in %s is judged by what its readings are of the sun', (unit, value) => {
    const input = newSensor({ role: 'indoor_light' }, 'house');
    for (const channel of input.channels) channel.unit = unit;
    const clock = new ManualClock();
    const last = (device_id: string, measurement_id: string) => ({
      device_id,
      measurement_id,
      channel: 0,
      unit,
      value,
      quality: 'good' as const,
      time_ms: clock.now(),
    });
    const facility = newFacility([{ role: 'indoor_light', name: 'light', input }], []);
    const sampler = new Sampler({
      facility,
      measured: [{ ...input, isTold: true }],
      inputs: [input],
      live: { last },
      clock,
    });
    clock.setTimeOfDay(clock.now() + 2_000);
    sampler.sample();
    const [sensor] = sampler.sensors;
    const points = sensor?.series.points ?? [];
    expect(points.map((point) => Math.round(point.value / 5) * 5)).toEqual([500]);
    const heard = {
      role: 'indoor_light',
      unit: sensor?.series.unit ?? '',
      points,
      count: 1,
      due: 1,
      peers: [510],
    } as const;
    expect(sensorResult(plausibilityChecks(heard), 'indoor_light')).toBe('ok');
  });
});

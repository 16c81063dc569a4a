import { expect, it } from 'vitest';
import type { FunctionSettings } from '../../../../server/contract/function.ts';
import { ownMeasurementId } from '../../../../server/contract/measured.ts';
import { grower, testDevices } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';

/** Two functions, of which the second goes by the first. */
async function chained() {
  const all = testDevices();
  const { storedSettings, presets } = all;
  const { inputs, outputs } = await presets.simulatedGreenhouse(grower, {});
  const functions = storedSettings.get('function');
  const [input, output] = [inputs[0], outputs[0]];
  if (functions === undefined || input === undefined || output === undefined) throw new Error('the preset has them');
  const read = (channel: number) => ({
    device_id: input.unique_id,
    measurement_id: input.channels[channel]?.measurement_id ?? '',
    max_age_s: 60,
  });
  const valueOf = ({ unique_id }: { unique_id: string }) => ({
    device_id: unique_id,
    measurement_id: ownMeasurementId(unique_id, 0),
    max_age_s: 60,
  });
  const make = async (name: string, kind: string, options: object): Promise<FunctionSettings> =>
    (await functions.create(grower, { name, kind, options: { period_s: 10, ...options } })) as FunctionSettings; // of that service
  const dew = await make('Dew point', 'dew_point', { temperature: read(0), humidity: read(1) });
  const margin = await make('Margin', 'difference', { measurement: read(0), minus: valueOf(dew) });
  const humidities = inputs.flatMap(({ unique_id: device_id, channels }) =>
    channels
      .filter(({ measurement }) => measurement === 'humidity')
      .map(({ measurement_id }) => ({ device_id, measurement_id, max_age_s: 60 })),
  );
  const change = (id: string, patch: object) => functions.change(grower, id, patch);
  return { ...all, humidities, change, functions, make, read, valueOf, dew, margin, output };
}

it('lists what a function stores among the measurements and the devices', async () => {
  const { devices, measurementSettings, margin } = await chained();
  const shown = devices.devices().find(({ unique_id }) => unique_id === margin.unique_id);
  const measurement_id = ownMeasurementId(margin.unique_id, 0);
  expect(shown?.channels).toMatchObject([{ name: 'Value', measurement_id, unit: 'K', last: null }]);
  const kept = measurementSettings.get(measurement_id);
  expect(kept).toMatchObject({ device_id: margin.unique_id, measurement: 'temperature_difference', is_default: true });
  expect(measurementSettings.create(grower, { unique_id: measurement_id, raw_days: 30 })).toMatchObject({
    raw_days: 30,
  });
});

it('lets a PID go by the value of a function, and says who does when that would end', async () => {
  const { storedSettings, functions, change, humidities, valueOf, dew, margin, output } = await chained();
  const pid = { name: 'Margin', measurement: valueOf(margin), setpoint: 3, kp: 1 };
  const lower = { output_id: output.unique_id, kind: 'duration' };
  await storedSettings.get('pid')?.create(grower, { ...pid, direction: 'lower', lower });
  expect(await refusalOf(functions.remove(grower, margin.unique_id))).toMatchObject({ code: 'in_use' });
  const [measurement, minus] = humidities;
  const ofWater = change(margin.unique_id, { options: { period_s: 10, measurement, minus } });
  expect(await refusalOf(ofWater)).toMatchObject({ code: 'in_use' });
  expect(await refusalOf(functions.remove(grower, dew.unique_id))).toMatchObject({ code: 'in_use' });
});

it('refuses a circle with the names on the way, and a value of another quantity', async () => {
  const { change, make, read, valueOf, dew, margin } = await chained();
  const first = await make('First', 'average', { measurements: [read(0), valueOf(dew)] });
  const second = await make('Second', 'average', { measurements: [read(0), valueOf(first)] });
  const options = { period_s: 10, measurements: [read(0), valueOf(second)] };
  const circle = await refusalOf(change(first.unique_id, { options }));
  expect(circle).toMatchObject({ code: 'circular_reference', members: { through: ['Second', 'First'] } });
  const mixed = make('Mixed', 'average', { measurements: [read(0), valueOf(margin)] });
  expect(await refusalOf(mixed)).toMatchObject({
    code: 'invalid_field',
    errors: [{ path: 'options.measurements[1]' }],
  });
});

it('can stand for a sensor of a house', async () => {
  const { make, read, house, valueOf } = await chained();
  const robust = await make('Robust', 'redundancy', {
    measurements: [
      read(0),
      { ...read(0), ...valueOf(await make('Wet', 'wet_bulb', { temperature: read(0), humidity: read(1) })) },
    ],
  });
  const { max_age_s: _, ...series } = valueOf(robust);
  const bound = house({ sensors: [{ role: 'indoor_temp', name: 'Air', ...series }] });
  expect(bound.sensors).toMatchObject([{ device_id: robust.unique_id }]);
});

it('refuses a PID whose setpoint is of another unit, whose output cannot do it, or is driven, with the owner', async () => {
  const { storedSettings, read, output } = await chained();
  const [pids, methods] = [storedSettings.get('pid'), storedSettings.get('method')];
  const method = (unit: string) =>
    methods?.create(grower, { name: unit, unit, kind: 'daily', shape: 'linear', points: [{ at: '06:00', value: 20 }] });
  const [damp, warm] = [await method('%'), await method('C')];
  const lower = { output_id: output.unique_id, kind: 'duration' };
  const pid = { name: 'Venting', measurement: read(0), kp: 1, direction: 'lower', lower };
  const make = async (changes: object) => pids?.create(grower, { ...pid, ...changes });
  for (const [path, changes] of [
    ['method_id', { method_id: damp?.unique_id }],
    ['setpoint_measurement', { setpoint_measurement: read(1) }],
  ] as const)
    expect(await refusalOf(make(changes))).toMatchObject({ code: 'invalid_field', errors: [{ path }] });
  for (const kind of ['value', 'pwm', 'volume'] as const) {
    const unfit = make({ setpoint: 20, lower: { ...lower, kind } });
    expect(await refusalOf(unfit)).toMatchObject({ code: 'invalid_field', errors: [{ path: 'lower.kind' }] });
  }
  const made = await make({ method_id: warm?.unique_id });
  const triggers = storedSettings.get('trigger');
  const follow = async (method_id: string | undefined) =>
    triggers?.create(grower, {
      name: 'Follow',
      kind: 'time_point',
      at: '06:00',
      actions: [
        { unique_id: pid.measurement.device_id, name: 'follow', kind: 'method', pid_id: made?.unique_id, method_id },
      ],
    });
  expect(await refusalOf(follow(damp?.unique_id))).toMatchObject({
    code: 'invalid_field',
    errors: [{ path: 'actions[0].method_id' }],
  });
  await follow(warm?.unique_id);
  expect(await refusalOf(make({ setpoint: 20 }))).toMatchObject({
    code: 'output_driven',
    members: { owner: { kind: 'pid', unique_id: made?.unique_id, name: 'Venting' } },
  });
});

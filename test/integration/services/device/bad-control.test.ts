import { describe, expect, it } from 'vitest';
import type { ControllerWord } from '../../../../server/contract/controller-kinds.ts';
import { grower, testDevices } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';

const nothing = '00000000-0000-4000-8000-0000000000ff';
const own = '00000000-0000-4000-8000-000000000001';

/** A house with sensors and outputs, in which controllers are made. */
async function house() {
  const { storedSettings, presets } = testDevices();
  const { inputs, outputs } = await presets.simulatedGreenhouse(grower, {});
  const [device_id = '', output_id = ''] = [inputs[0]?.unique_id, outputs[0]?.unique_id];
  const measurement_id = inputs[0]?.channels[0]?.measurement_id ?? '';
  const make = async (word: ControllerWord, settings: object) => storedSettings.get(word)?.create(grower, settings);
  const change = async (word: ControllerWord, id: string, patch: object) =>
    storedSettings.get(word)?.change(grower, id, patch);
  return { make, change, output_id, measurement: { device_id, measurement_id, max_age_s: 60 } };
}

/** A conditional function with a value `t` and an action `heat`. */
const rule = (statement: string) => (site: Site) => ({
  name: 'Rule',
  period_s: 10,
  statement,
  conditions: [{ unique_id: own, name: 't', kind: 'measurement', ...site.measurement }],
  actions: [{ unique_id: nothing, name: 'heat', kind: 'output', output_id: site.output_id, state: true }],
});

type Site = Awaited<ReturnType<typeof house>>;
const pid = (changes: (site: Site) => object) => (site: Site) => ({
  name: 'Heating',
  measurement: site.measurement,
  setpoint: 20,
  kp: 1,
  direction: 'raise',
  raise: { output_id: site.output_id, kind: 'duration' },
  ...changes(site),
});

describe('a controller is refused', () => {
  it.each<[string, ControllerWord, (site: Site) => object, code: string, path: string, said?: RegExp]>([
    [
      'whose measurement is not there',
      'pid',
      pid(({ measurement }) => ({ measurement: { ...measurement, measurement_id: nothing } })),
      'unknown_reference',
      'measurement',
    ],
    [
      'whose output is not there',
      'pid',
      pid(() => ({ raise: { output_id: nothing, kind: 'duration' } })),
      'unknown_reference',
      'raise',
    ],
    [
      'whose channel is not there',
      'pid',
      pid(({ output_id }) => ({ raise: { output_id, channel: 7, kind: 'duration' } })),
      'unknown_reference',
      'raise',
    ],
    [
      'that watches an output which is not there',
      'trigger',
      () => ({ name: 'Watch', kind: 'output', output: { output_id: nothing }, state: 'on' }),
      'unknown_reference',
      'output',
    ],
    [
      'whose statement is nested too deeply',
      'conditional',
      rule(`run(heat, ${'-('.repeat(300)}1${')'.repeat(300)});`),
      'invalid_field',
      'statement',
      /line 1, column \d+/,
    ],
    [
      'whose statement has too many parts',
      'conditional',
      rule(';'.repeat(2_500)),
      'invalid_field',
      'statement',
      /parts/,
    ],
    [
      'whose statement is too long',
      'conditional',
      rule(`run(heat);${' '.repeat(10_000)}`),
      'invalid_field',
      'statement',
    ],
    [
      'whose statement names what is not there',
      'conditional',
      rule('if (t > 1)\n  run(cool);'),
      'invalid_field',
      'statement',
      /line 2, column 7/,
    ],
    [
      'whose statement compares what cannot be compared',
      'conditional',
      rule('if (t > (1 == 1)) run(heat);'),
      'invalid_field',
      'statement',
      /line 1/,
    ],
  ])('%s', async (_what, word, settings, code, path, said = /./) => {
    const site = await house();
    const refused = await refusalOf(site.make(word, settings(site)));
    expect(refused).toMatchObject({ code, errors: [{ path: expect.stringMatching(`^${path}`) as string }] });
    expect(JSON.stringify(refused)).toMatch(said);
  });

  it('where curves would stand on each other in a circle', async () => {
    const { make, change } = await house();
    const day = { kind: 'daily', unit: 'C', shape: 'linear', points: [{ at: '06:00', value: 20 }] };
    const base = await make('method', { name: 'Base', ...day });
    const cascade = (name: string, on: string | undefined) => ({
      name,
      kind: 'cascade',
      combine: 'sum',
      unit: 'C',
      points: [{ method_id: on }],
    });
    const first = await make('method', cascade('First', base?.unique_id));
    const second = await make('method', cascade('Second', first?.unique_id));
    const circle = change('method', first?.unique_id ?? '', { points: [{ method_id: second?.unique_id }] });
    expect(await refusalOf(circle)).toMatchObject({
      code: 'invalid_field',
      errors: [
        { path: 'points[0].method_id', message: expect.stringContaining('leads back to this method') as string },
      ],
    });
  });
});

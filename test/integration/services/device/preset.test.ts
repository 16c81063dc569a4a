import { describe, expect, it } from 'vitest';
import { displayOptions } from '../../../../server/contract/drivers/virtual.ts';
import { grower, testDevices } from '../../../support/devices.ts';
import { remoteError } from '../../../support/scripted-daemon.ts';

describe('the simulated greenhouse', () => {
  it('has the inputs of the contract, in its order, read each second', async () => {
    const { presets, inputs } = testDevices();
    const made = await presets.simulatedGreenhouse(grower, {});
    expect(made.inputs.map((input) => input.channels.map((channel) => channel.measurement))).toEqual([
      ['temperature', 'humidity', 'co2', 'light'],
      ['temperature', 'humidity', 'wind_speed', 'wind_direction', 'radiation', 'rain'],
    ]);
    expect(made.inputs.map((input) => input.period_s)).toEqual([1, 1]);
    expect(inputs.list()).toEqual(made.inputs);
  });

  it('has its actuators, of which vents and shade take a position', async () => {
    const { presets, outputs } = testDevices();
    const made = await presets.simulatedGreenhouse(grower, {});
    expect(made.outputs.map((output) => [output.options['part'], output.channels[0]?.kind])).toEqual([
      ['heater', 'switch'],
      ['fan', 'switch'],
      ['side_vent', 'dimmer'],
      ['roof_vent', 'dimmer'],
      ['co2', 'switch'],
      ['lighting', 'switch'],
      ['shade', 'dimmer'],
      ['fogger', 'switch'],
      ['valve', 'switch'],
    ]);
    expect(outputs.list()).toEqual(made.outputs);
  });

  it('is one house of the site at the speed that was asked for', async () => {
    const { presets } = testDevices();
    const { inputs, outputs } = await presets.simulatedGreenhouse(grower, { name: 'North', speed: 60 });
    const [first] = inputs;
    const { house } = first?.options ?? {};
    for (const { options, name } of [...inputs, ...outputs]) {
      expect(options).toMatchObject({ house, speed: 60, lat: 37.5665, lng: 126.978 });
      expect(name).toMatch(/^North /);
    }
    const other = await presets.simulatedGreenhouse(grower, {});
    expect(other.inputs[0]?.options['house']).not.toBe(house);
  });

  it('has a display of the indoor climate', async () => {
    const { presets } = testDevices();
    const { inputs, lcds } = await presets.simulatedGreenhouse(grower, {});
    const options = displayOptions.parse(lcds[0]?.options);
    expect(options.line_sets?.[0]).toMatchObject(
      (inputs[0]?.channels ?? []).map(({ measurement_id, name }) => ({ measurement_id, label: name })),
    );
  });

  it('is named in the language of the site, as is its display, except what was named by who asked', async () => {
    const { presets, site } = testDevices();
    site.language = 'ja';
    const { inputs, outputs, lcds } = await presets.simulatedGreenhouse(grower, { part_names: { fan: 'Big fan' } });
    expect([...inputs, ...outputs].slice(0, 4).map(({ name, channels }) => [name, channels[0]?.name])).toEqual([
      ['温室 室内環境', '温度'],
      ['温室 天気', '温度'],
      ['温室 暖房機', '暖房機'],
      ['温室 Big fan', 'Big fan'],
    ]);
    expect(lcds[0]).toMatchObject({
      name: '温室 表示器',
      options: { line_sets: [[{ label: '温度' }, { label: '湿度' }, {}, {}]] },
    });
  });

  it('tells the daemon of every device and is one record of the audit', async () => {
    const { presets, daemon, audited } = testDevices();
    const made = await presets.simulatedGreenhouse(grower, {});
    expect(daemon.told).toHaveLength(12);
    expect(audited).toMatchObject([{ kind: 'preset.create', target: 'simulated_greenhouse', after: made }]);
  });

  it('is there when the daemon is not', async () => {
    const { presets, daemon, outputs } = testDevices();
    daemon.failure = remoteError('connection_failed');
    await presets.simulatedGreenhouse(grower, {});
    expect(outputs.list()).toHaveLength(9);
  });

  it('is made whole or not at all', async () => {
    const { presets, inputs, outputs, db, audited } = testDevices();
    db.exec("CREATE TRIGGER full BEFORE INSERT ON lcds BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    await expect(presets.simulatedGreenhouse(grower, {})).rejects.toThrow('disk full');
    expect([inputs.list(), outputs.list(), audited]).toEqual([[], [], []]);
  });
});

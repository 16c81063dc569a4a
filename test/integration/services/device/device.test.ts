import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { device } from '../../../../server/contract/device.ts';
import { greenhouse } from '../../../support/climate-house.ts';
import { grower, testDevices } from '../../../support/devices.ts';
import { stateOf } from '../../../support/scripted-daemon.ts';
import { refusalOf } from '../../../support/refusal.ts';

const point = { type: 'Point', coordinates: [127, 37] };

describe('DeviceService', () => {
  it('lists inputs, outputs and displays as the contract shapes them', async () => {
    const { presets, devices } = testDevices();
    await presets.simulatedGreenhouse(grower, {});
    const all = devices.devices();
    expect(all.map((one) => one.kind)).toEqual(['input', 'input', ...Array<string>(9).fill('output'), 'lcd']);
    for (const one of all) expect(device.parse(one)).toEqual(one);
    expect([devices.inputs(), devices.outputs()]).toEqual([all.slice(0, 2), all.slice(2, 11)]);
  });

  it('calls the parts of a simulated greenhouse as who makes it says, the rest in English', async () => {
    const made = await testDevices().presets.simulatedGreenhouse(grower, {
      name: '가상',
      part_names: { heater: '난방기', indoor: '실내 환경' },
      measurement_names: { temperature: '온도' },
    });
    const [indoor] = made.inputs;
    expect([indoor?.name, indoor?.channels.map(({ name }) => name)]).toEqual([
      '가상 실내 환경',
      ['온도', 'Humidity', 'CO2', 'Light'],
    ]);
    expect(made.outputs.slice(0, 2).map(({ name, channels }) => [name, channels[0]?.name])).toEqual([
      ['가상 난방기', '난방기'],
      ['가상 fan', 'Fan'],
    ]);
  });

  it('gives live values and states', async () => {
    const all = testDevices();
    const input = await all.sensor();
    const { unique_id: output_id } = await all.switch();
    const { measurement_id = '' } = input.channels[0] ?? {};
    const reading = { device_id: input.unique_id, measurement_id, channel: 0, value: 21.5, unit: 'C' };
    all.daemon.measurements.push({ ...reading, quality: 'suspect', time_ms: all.clock.ms });
    all.daemon.outputs.push({ output_id, ...stateOf({ state: 'on' }) });
    expect(all.devices.inputs()[0]?.last).toBeNull();
    all.start();
    await all.daemon.polled();
    expect(all.devices.inputs()[0]?.last).toEqual({
      value: 21.5,
      quality: 'suspect',
      time: '2026-03-01T06:00:00.000Z',
    });
    expect(all.devices.outputs()[0]?.state).toMatchObject([{ state: 'on' }]);
  });

  it('says the resolution of a channel: as somebody said, else as its register is scaled', async () => {
    const { inputs, devices } = testDevices();
    const register = { table: 'input', address: 0 };
    const registers = [
      { ...register, channel: 0, scale: 0.1 },
      { ...register, channel: 1, scale: 0.01 },
      { ...register, channel: 2, type: 'float32' },
      { ...register, channel: 3, table: 'coil' },
    ];
    await inputs.create(grower, {
      name: 'Box',
      driver: 'modbus',
      options: { host: '127.0.0.1', registers },
      channels: [
        { channel: 0, measurement: 'temperature' },
        { channel: 1, measurement: 'temperature', scale: { kind: 'linear', factor: 10, offset: 0 } },
        { channel: 2, measurement: 'temperature', resolution: 0.05 },
        { channel: 3 },
      ],
    });
    const [box] = devices.inputs();
    expect(device.parse(box)).toEqual(box);
    expect(box?.channels.map(({ resolution }) => resolution)).toEqual([0.1, 0.1, 0.05, undefined]);
  });

  it('says of which house a climate program is', async () => {
    const { save, house, devices } = await greenhouse();
    await save({});
    const program = devices.devices().find(({ kind }) => kind === 'climate');
    expect(device.parse(program)).toMatchObject({ facility_uuid: house.unique_id });
  });

  it('says from which age a value is stale, by how often it is read', async () => {
    const all = testDevices();
    await all.sensor();
    await all.switch();
    expect(all.devices.devices().map(({ stale_after_s }) => stale_after_s)).toEqual([3, undefined]);
  });

  it('says where they stand, on all maps or on one', async () => {
    const all = testDevices();
    const { unique_id: device_id } = await all.sensor();
    const feature_uuid = all.draw({ type: 'device', device_id, geometry: point });
    const location = { map_uuid: all.mapId, feature_uuid, lat: 37, lng: 127 };
    expect(all.devices.devices()[0]?.locations).toEqual([location]);
    expect(all.devices.devices(all.mapId)[0]?.locations).toEqual([location]);
  });

  it.each(['devices', 'inputs', 'outputs'] as const)('does not know %s of a map that is not there', async (list) => {
    const all = testDevices();
    expect((await refusalOf(() => all.devices[list](randomUUID()))).code).toBe('not_found');
    all.db.exec("UPDATE designs SET deleted_at = '2026-03-01T00:00:00.000Z'");
    expect((await refusalOf(() => all.devices[list](all.mapId))).code).toBe('not_found');
  });

  it('forgets places on a map in the trash', async () => {
    const all = testDevices();
    const { unique_id: device_id } = await all.sensor();
    all.draw({ type: 'device', device_id, geometry: point });
    all.db.exec("UPDATE designs SET deleted_at = '2026-03-01T00:00:00.000Z'");
    expect(all.devices.devices()[0]?.locations).toEqual([]);
  });

  it('knows which devices there are', async () => {
    const all = testDevices();
    const { unique_id } = await all.switch();
    expect([all.devices.exists(unique_id), all.devices.exists(randomUUID())]).toEqual([true, false]);
  });
});

// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import DeviceChannels from '../../../../../renderer/features/devices/DeviceChannels.vue';
import OutputControl from '../../../../../renderer/features/devices/OutputControl.vue';
import { mounted } from '../../ui/mounted.ts';

const base = { unique_id: 'box', driver: 'modbus', is_activated: true, locations: [] };
const shown = (device: object) => mounted(DeviceChannels, { props: { device: { ...base, ...device } } });
const names = (device: object) =>
  shown(device)
    .findAll('.channels__name')
    .map((one) => one.text());

it.each([
  ['its quantity', [{ channel: 0, name: 'Channel 0', measurement: 'temperature' }], ['Temperature']],
  ['its device', [{ channel: 0, name: 'Channel 0', measurement: 'unitless' }], ['Soil 2']],
  ['its own name', [{ channel: 0, name: 'Bed', measurement: 'temperature' }], ['Bed · Temperature']],
  [
    'its number beside others',
    [0, 1].map((channel) => ({ channel, name: `Channel ${channel}`, measurement: 'temperature' })),
    ['Channel 0 · Temperature', 'Channel 1 · Temperature'],
  ],
])('calls a measured channel by %s', (_what, channels, expected) => {
  expect(names({ kind: 'input', name: 'Soil 2', channels })).toEqual(expected);
});

it('calls the only output of a device, where its name only counts, as the device', () => {
  const valve = { kind: 'output', name: 'Valve 1', channels: [{ channel: 0, name: 'Channel 0', kind: 'switch' }] };
  expect(shown(valve).getComponent(OutputControl).props()).toMatchObject({ name: 'Valve 1' });
});

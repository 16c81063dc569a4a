// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import ChannelPicker from '../../../../../renderer/features/trends/ChannelPicker.vue';
import { channelsOf } from '../../../../../renderer/features/trends/channels.ts';
import { outputsOf } from '../../../../../renderer/features/trends/states.ts';
import { mounted } from '../../ui/mounted.ts';

const device = { driver: 'modbus', is_activated: true, locations: [] };
const inputs = ['north', 'south', 'weather'].map((unique_id) => ({
  ...device,
  unique_id,
  kind: 'input' as const,
  name: unique_id === 'weather' ? 'Weather' : 'Air box',
  channels: [{ channel: 0, name: 'Temperature', measurement_id: 'air', unit: 'C' }],
}));
const outputs = ['north-fan', 'south-fan'].map((unique_id) => ({
  ...device,
  unique_id,
  kind: 'output' as const,
  name: 'Fan',
  channels: [{ channel: 0, name: 'Fan' }],
}));
const houses = new Map([
  ['north', 'North house'],
  ['south', 'South house'],
  ['north-fan', 'North house'],
  ['south-fan', 'South house'],
]);
const picker = () =>
  mounted(ChannelPicker, {
    props: {
      channels: channelsOf(inputs, houses, (key) => key),
      outputs: outputsOf(outputs, houses, (key) => key),
      modelValue: [],
      chosenOutputs: [],
    },
  });
const words = (of: ReturnType<typeof picker>, selector: string): string[] =>
  of.findAll(selector).map((one) => one.text().replaceAll(/\s+/g, ' '));

it('tells by their house what is called the same in two houses', () => {
  const shown = picker();
  expect(words(shown, 'legend')).toEqual(['North house · Air box', 'South house · Air box', 'Weather', 'Actuators']);
  expect(words(shown, '.picker__device:last-of-type .quiet')).toEqual(['North house', 'South house']);
});

it('calls the only channel of a device, where its name only counts, as the device, without a heading', () => {
  const soil = { ...device, unique_id: 'soil', kind: 'input' as const, name: 'Soil 2' };
  const counted = [0, 1].map((channel) => ({ channel, name: `Channel ${channel}`, measurement_id: `${channel}` }));
  const two = { ...soil, unique_id: 'box', name: 'Box', channels: counted };
  const valve = { ...soil, kind: 'output' as const, name: 'Valve 1', channels: counted.slice(0, 1) };
  const shown = mounted(ChannelPicker, {
    props: {
      channels: channelsOf([{ ...soil, channels: counted.slice(0, 1) }, two], new Map(), (key) => key),
      outputs: outputsOf([valve], new Map(), (key) => key),
      modelValue: [],
      chosenOutputs: [],
    },
  });
  const numbered = 'devices.driverChannel.numbered';
  expect(words(shown, '.picker__name')).toEqual(['Soil 2', numbered, numbered, 'Valve 1']);
  expect(words(shown, 'legend:not(.visually-hidden)')).toEqual(['Box', 'Actuators']);
});

it('finds by the house', async () => {
  const shown = picker();
  await shown.get('input[type=search]').setValue('south');
  expect(words(shown, 'legend')).toEqual(['South house · Air box', 'Actuators']);
  expect(words(shown, '.picker__device:last-of-type .quiet')).toEqual(['South house']);
});

// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import ChannelPicker from '../../../../../renderer/features/trends/ChannelPicker.vue';
import { useChannels } from '../../../../../renderer/features/trends/use-channels.ts';
import { useFacilities } from '../../../../../renderer/stores/facility.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { mounted } from '../../ui/mounted.ts';

it('calls climate programs by their houses, those of the same name too', async () => {
  const named = [
    ['a', 'North house', 'Tomato'],
    ['b', 'South house', 'Tomato'],
    ['c', 'Nursery', 'Nursery'],
  ] as const;
  const shown = mounted(
    defineComponent(() => {
      const { channels, outputs } = useChannels();
      const chosen = { modelValue: [], chosenOutputs: [] };
      return () => h(ChannelPicker, { channels: channels.value, outputs: outputs.value, ...chosen });
    }),
    {},
  );
  const [live, facilities] = [useLive(), useFacilities()];
  const channels = [{ channel: 0, name: 'Heating setpoint', measurement_id: 'aim', unit: 'C' }];
  live.devices = named.map(([unique_id, , name]) => ({
    ...{ unique_id, name, channels, kind: 'climate', driver: '', is_activated: true, locations: [] },
    facility_uuid: `h-${unique_id}`,
  }));
  facilities.list = named.map(
    ([id, name]) =>
      ({ unique_id: `h-${id}`, name, sensors: [], actuators: [] }) as unknown as (typeof facilities.list)[number], // what it reads
  );
  await flushPromises();
  const legends = () => shown.findAll('legend').map((one) => one.text());
  expect(legends()).toEqual(['North house · Tomato', 'South house · Tomato', 'Nursery']);
  await shown.get('input[type=search]').setValue('south');
  expect(legends()).toEqual(['South house · Tomato']);
});

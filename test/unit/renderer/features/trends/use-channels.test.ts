// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import ChannelPicker from '../../../../../renderer/features/trends/ChannelPicker.vue';
import { useChannels } from '../../../../../renderer/features/trends/use-channels.ts';
import { useDevices } from '../../../../../renderer/stores/device.ts';
import { useFacilities } from '../../../../../renderer/stores/facility.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { programOf } from '../../../../support/climate-run.ts';
import { mounted } from '../../ui/mounted.ts';

it('calls climate programs by their houses, those of the same name too', async () => {
  const named = [
    ['a', 'North house', 'Tomato'],
    ['b', 'South house', 'Tomato'],
    ['c', 'Nursery', 'Nursery'],
  ] as const;
  const climates = named.map(([id, , name]) => ({ ...programOf(), unique_id: id, facility_uuid: `h-${id}`, name }));
  const login = { user: { username: 'kim' }, permissions: ['view_settings'], csrf_token: '' };
  const answers: Record<string, object> = { '/api/auth/login': login, '/api/settings/climates': { climates } };
  const shown = mounted(
    defineComponent(() => {
      const { channels, outputs } = useChannels();
      const chosen = { modelValue: [], chosenOutputs: [] };
      return () => h(ChannelPicker, { channels: channels.value, outputs: outputs.value, ...chosen });
    }),
    {
      fetch: (address) =>
        Promise.resolve(Response.json(answers[new URL(address as string, 'https://here').pathname] ?? {})),
    },
  );
  const [live, facilities] = [useLive(), useFacilities()];
  const channels = [{ channel: 0, name: 'Heating setpoint', measurement_id: 'aim', unit: 'C' }];
  live.devices = named.map(([unique_id, , name]) => ({
    ...{ unique_id, name, channels, kind: 'climate', driver: '', is_activated: true, locations: [] },
  }));
  facilities.list = named.map(
    ([id, name]) =>
      ({ unique_id: `h-${id}`, name, sensors: [], actuators: [] }) as unknown as (typeof facilities.list)[number], // what it reads
  );
  await useSession().login({ username: 'kim', password: 'a long password' });
  await useDevices().load();
  await flushPromises();
  const legends = () => shown.findAll('legend').map((one) => one.text());
  expect(legends()).toEqual(['North house · Tomato', 'South house · Tomato', 'Nursery']);
  await shown.get('input[type=search]').setValue('south');
  expect(legends()).toEqual(['South house · Tomato']);
});

// @vitest-environment happy-dom
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import { VBtn } from 'vuetify/components/VBtn';
import { VTextField } from 'vuetify/components/VTextField';
import SiteStep from '../../../../../renderer/features/setup/SiteStep.vue';
import PlaceFields from '../../../../../renderer/features/setup/PlaceFields.vue';
import { useSettings } from '../../../../../renderer/stores/settings.ts';
import { defaultSettings } from '../../../../../server/services/setting/defaults.ts';
import { mounted } from '../../ui/mounted.ts';

/** The map paints in a thread, which this document lacks. */
beforeAll(() => {
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      postMessage(): void {}
      terminate(): void {}
    },
  );
});
afterAll(() => {
  vi.unstubAllGlobals();
});

it('waits for a place that somebody chose', async () => {
  const step = mounted(SiteStep, {});
  const save = () => step.findAllComponents(VBtn).find((one) => one.attributes('type') === 'submit');
  expect(useSettings().site).toBeNull();
  const fields = step.findComponent(PlaceFields);
  expect(fields.props()).toMatchObject({ latitude: '', longitude: '' });
  await step.getComponent(VTextField).setValue('Farm');
  expect(save()?.props('disabled')).toBe(true);
  fields.vm.$emit('update:latitude', '37.2636');
  fields.vm.$emit('update:longitude', '127.0286');
  await nextTick();
  expect(save()?.props('disabled')).toBe(false);
});

it('keeps the zone of a site that was chosen already, wherever the browser is', () => {
  const zone = 'Pacific/Chatham';
  const site = { ...defaultSettings(zone), site_name: 'Farm', lat: -44, lng: -176.5 };
  const chosen = defineComponent(() => {
    useSettings().site = site;
    return () => h(SiteStep);
  });
  const fields = mounted(chosen, {}).getComponent(PlaceFields);
  expect(fields.props()).toMatchObject({ latitude: '-44', longitude: '-176.5', timeZone: zone });
});

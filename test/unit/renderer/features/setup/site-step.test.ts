// @vitest-environment happy-dom
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { VBtn } from 'vuetify/components/VBtn';
import { VTextField } from 'vuetify/components/VTextField';
import SiteStep from '../../../../../renderer/features/setup/SiteStep.vue';
import PlaceFields from '../../../../../renderer/features/setup/PlaceFields.vue';
import { useSettings } from '../../../../../renderer/stores/settings.ts';
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

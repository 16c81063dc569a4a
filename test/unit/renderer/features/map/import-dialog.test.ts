// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { VCard } from 'vuetify/components/VCard';
import { VSelect } from 'vuetify/components/VSelect';
import ImportDialog from '../../../../../renderer/features/map/ImportDialog.vue';
import { useOpenMap } from '../../../../../renderer/stores/map.ts';
import { mostShapeFileBytes } from '../../../../../server/contract/shape-file.ts';
import { mounted } from '../../ui/mounted.ts';
import { FileThread } from '../../map/file-thread.ts';

vi.stubGlobal('visualViewport', new EventTarget()); // a dialog listens to it for as long as it lives
vi.stubGlobal('Worker', FileThread);

const point = { type: 'Feature', geometry: { type: 'Point', coordinates: [127, 37] }, properties: { name: 'Oak' } };

it('changes nothing of what is imported while it is being sent', async () => {
  const file = new File([JSON.stringify({ type: 'FeatureCollection', features: [point] })], 'trees.geojson');
  const props = { modelValue: false, placed: new Map(), holdsHouse: () => false, dropped: [file] };
  const dialog = mounted(ImportDialog, { props });
  vi.spyOn(useOpenMap(), 'add').mockReturnValue(new Promise(() => undefined)); // no answer yet
  await dialog.setProps({ modelValue: true });
  const card = dialog.findComponent(VCard);
  await vi.waitFor(() => expect(card.findComponent(VSelect).exists()).toBe(true));
  const disabled = () => card.findAll('.v-input--disabled').length;
  expect(disabled()).toBe(0);
  await card.find('form').trigger('submit');
  await flushPromises();
  expect(disabled()).toBe(2); // files, type
});

it('says how large a file may be', async () => {
  const file = new File([], 'country.zip');
  Object.defineProperty(file, 'size', { value: mostShapeFileBytes + 1 });
  const props = { modelValue: false, placed: new Map(), holdsHouse: () => false, dropped: [file] };
  const dialog = mounted(ImportDialog, { props });
  await dialog.setProps({ modelValue: true });
  await vi.waitFor(() => expect(dialog.findComponent(VCard).text()).toContain('64 MB at most'));
});

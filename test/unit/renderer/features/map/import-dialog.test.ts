// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { VCard } from 'vuetify/components/VCard';
import { VSelect } from 'vuetify/components/VSelect';
import { ApiError } from '../../../../../renderer/client/api-error.ts';
import ImportDialog from '../../../../../renderer/features/map/ImportDialog.vue';
import { useOpenMap } from '../../../../../renderer/stores/map.ts';
import { mostShapeFileBytes } from '../../../../../server/contract/shape-file.ts';
import { mounted } from '../../ui/mounted.ts';
import { FileThread } from '../../map/file-thread.ts';
import { eventually } from '../../../../support/eventually.ts';

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
  await eventually(() => expect(card.findComponent(VSelect).exists()).toBe(true));
  const disabled = () => card.findAll('.v-input--disabled').length;
  expect(disabled()).toBe(0);
  await card.find('form').trigger('submit');
  await flushPromises();
  expect(disabled()).toBe(2); // files, type
});

it('names what cannot be added, with the reason, before anything is sent', async () => {
  const coordinates = [[[127, 37], [128, 38], [128, 37], [127, 38], [127, 37]]]; // prettier-ignore
  const knot = { type: 'Feature', geometry: { type: 'Polygon', coordinates }, properties: { name: 'Knot' } };
  const gate = { type: 'Feature', geometry: null, properties: { name: 'Gate' } };
  const file = new File([JSON.stringify({ type: 'FeatureCollection', features: [point, knot, gate] })], 'a.geojson');
  const props = { modelValue: false, placed: new Map(), holdsHouse: () => false, dropped: [file] };
  const dialog = mounted(ImportDialog, { props });
  await dialog.setProps({ modelValue: true });
  const card = dialog.findComponent(VCard);
  await eventually(() => expect(card.find('.import__faulty').exists()).toBe(true));
  expect(card.text()).toContain('1 shape to add');
  expect(card.get('.import__faulty strong').text()).toBe('2 shapes cannot be imported:');
  expect(card.findAll('.import__faulty li').map((line) => line.text())).toEqual([
    'Gate: It has no outline, line or point.',
    'Knot: Outlines must not cross themselves or one another.',
  ]);
  expect(card.get('[type=submit]').text()).toBe('Import the other 1');
});

it('names first what the service refuses, also where the file has more faults than are named', async () => {
  const gates = Array.from({ length: 60 }, () => ({ type: 'Feature', geometry: null, properties: { name: 'Gate' } }));
  const file = new File([JSON.stringify({ type: 'FeatureCollection', features: [point, ...gates] })], 'a.geojson');
  const props = { modelValue: false, placed: new Map(), holdsHouse: () => false, dropped: [file] };
  const dialog = mounted(ImportDialog, { props });
  const errors = [{ path: 'added[0].properties.name', code: 'invalid_value', message: 'is refused' }];
  const answered = { type: 'about:blank', title: '', status: 400, detail: '', request_id: '' } as const;
  const problem = { ...answered, code: 'invalid_field' as const, errors };
  vi.spyOn(useOpenMap(), 'add').mockRejectedValue(new ApiError('invalid_field', 'refused', { problem }));
  await dialog.setProps({ modelValue: true });
  const card = dialog.findComponent(VCard);
  await eventually(() => expect(card.find('.import__faulty').exists()).toBe(true));
  expect(card.get('strong[role=alert]').text()).toBe('60 shapes cannot be imported:'); // its lines are not read aloud at once
  await card.find('form').trigger('submit');
  await eventually(() => expect(card.get('strong[role=alert]').text()).toBe('61 shapes cannot be imported:'));
  expect(card.get('.import__faulty li').text()).toContain('Oak: ');
  expect(card.get('[type=submit]').text()).toBe('Import');
});

it('says how large a file may be', async () => {
  const file = new File([], 'country.zip');
  Object.defineProperty(file, 'size', { value: mostShapeFileBytes + 1 });
  const props = { modelValue: false, placed: new Map(), holdsHouse: () => false, dropped: [file] };
  const dialog = mounted(ImportDialog, { props });
  await dialog.setProps({ modelValue: true });
  await eventually(() => expect(dialog.findComponent(VCard).text()).toContain('64 MB at most'));
});

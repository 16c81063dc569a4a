// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it } from 'vitest';
import { defineComponent, h, reactive, type ComponentPublicInstance } from 'vue';
import { newDraft, type Draft } from '../../../../../renderer/features/facility/draft.ts';
import OpeningStep from '../../../../../renderer/features/facility/steps/OpeningStep.vue';
import QuantityField from '../../../../../renderer/ui/QuantityField.vue';
import type { Face } from '../../../../../server/contract/facility.ts';
import { mounted } from '../../ui/mounted.ts';

/** The step on a house with its eave at 3 m and its ridge at 4.5 m, with one opening, in the left wall. */
async function step() {
  const draft: Draft = reactive(newDraft({ uuid: crypto.randomUUID(), name: 'House', box: null }));
  Object.assign(draft.envelope, {
    roof_type: 'gable',
    bay_width_m: 8,
    length_m: 50,
    eave_height_m: 3,
    ridge_height_m: 4.5,
  });
  const Host = defineComponent({
    setup: () => () => h(OpeningStep, { modelValue: draft, faults: new Map<string, never>(), axisDeg: 0 }),
  });
  const page = mounted(Host, {});
  const add = page.findAll('button').find((button) => button.text() === 'Add opening');
  await add?.trigger('click');
  const opening = draft.openings[0];
  if (opening === undefined) throw new Error('an opening was added');
  const moveTo = async (face: Face): Promise<void> => {
    page.getComponent<ComponentPublicInstance>('.v-select').vm.$emit('update:modelValue', face);
    await flushPromises();
  };
  /** What the field of the height says as a hint, and as an error. */
  const centre = () => {
    const field = page.findAllComponents(QuantityField)[1]?.props() as { hint?: string; error?: string } | undefined; // its props
    return [field?.hint, field?.error];
  };
  return { opening, moveTo, centre, draft };
}

it.each<{ typed?: number; faces: Face[]; heights_m: number[] }>([
  { faces: ['ridge', 'roof_left', 'front', 'right'], heights_m: [4.5, 3.75, 1.5, 1.5] },
  { typed: 0.8, faces: ['right', 'front', 'ridge'], heights_m: [0.8, 0.8, 4.5] },
  { typed: 2.95, faces: ['ridge', 'left'], heights_m: [2.95, 2.95] },
])('moves an opening of height $typed m over $faces to $heights_m', async ({ typed, faces, heights_m }) => {
  const { opening, moveTo, centre } = await step();
  expect(opening).toMatchObject({ face: 'left', centre_height_m: 1.5 });
  if (typed !== undefined) opening.centre_height_m = typed;
  const seen: number[] = [];
  for (const face of faces) {
    await moveTo(face);
    seen.push(opening.centre_height_m);
    expect(centre()).toEqual(['', undefined]);
  }
  expect(seen).toEqual(heights_m);
});

it('says at the field how high or low the centre can be where the opening is', async () => {
  const { opening, moveTo, centre, draft } = await step();
  opening.centre_height_m = 4;
  await flushPromises();
  expect(centre()).toEqual(['At most 3.00\u202fm.', undefined]);
  await moveTo('ridge');
  opening.centre_height_m = 1.5;
  await flushPromises();
  expect(centre()).toEqual(['At least 3.00\u202fm.', undefined]);
  draft.envelope.eave_height_m = 1.5;
  await flushPromises();
  expect(centre()).toEqual(['', undefined]);
});

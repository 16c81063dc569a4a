// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent, h, nextTick, reactive } from 'vue';
import { newDraft } from '../../../../../renderer/features/facility/draft.ts';
import StepNavigation from '../../../../../renderer/features/facility/StepNavigation.vue';
import type { StepId } from '../../../../../renderer/features/facility/draft-check.ts';
import EnvelopeStep from '../../../../../renderer/features/facility/steps/EnvelopeStep.vue';
import ReviewStep from '../../../../../renderer/features/facility/steps/ReviewStep.vue';
import QuantityField from '../../../../../renderer/ui/QuantityField.vue';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { mounted } from '../../ui/mounted.ts';

it('says at the field and in the review that the ridge is below the eave', async () => {
  const draft = reactive(newDraft({ uuid: crypto.randomUUID(), name: 'House', box: null }));
  Object.assign(draft.envelope, { roof_type: 'gable', eave_height_m: 4, ridge_height_m: 3 });
  const faults = new Map<string, never>();
  const page = mounted(
    defineComponent({
      setup: () => () => [
        h(EnvelopeStep, { modelValue: draft, faults, assumptions: undefined }),
        h(ReviewStep, { draft, faults, facilityUuid: undefined }),
      ],
    }),
    {},
  );
  const told = () => {
    const fields = page
      .findAllComponents(QuantityField)
      .map((field) => field.props() as { label: string; hint?: string; error?: string }); // its props
    const ridge = fields.find(({ label }) => label === en.facility.ridge);
    return [ridge?.hint, ridge?.error, page.find('.review__doubt').exists()];
  };
  expect(told()).toEqual([en.capacity.warningTexts.ridge_below_eave, undefined, true]);
  draft.envelope.ridge_reference = 'eave';
  await nextTick();
  expect(told()).toEqual(['', undefined, false]);
  draft.envelope.ridge_reference = 'ground';
  draft.envelope.ridge_height_m = 5;
  await nextTick();
  expect(told()).toEqual(['', undefined, false]);
  draft.envelope.ridge_height_m = 2;
  draft.envelope.roof_type = 'flat';
  await nextTick();
  expect(told()).toEqual(['', undefined, false]);
});

it.each<[StepId[], StepId[], string]>([
  [[], ['envelope'], en.facility.stepDoubtful],
  [['envelope'], ['envelope'], en.facility.stepFaulty],
])('marks the steps: faults in %j, doubts in %j', (faulty, doubtful, said) => {
  const props = { modelValue: 'shape', faulty: new Set(faulty), doubtful: new Set(doubtful) };
  const marked = mounted(StepNavigation, { props }).findAll('.visually-hidden');
  expect(marked.map((one) => one.text())).toEqual([said]);
});

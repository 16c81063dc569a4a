// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import ItemAccuracy from '../../../../../renderer/features/commissioning/ItemAccuracy.vue';
import { mounted } from '../../ui/mounted.ts';

it('writes the offset of a thermometer as a difference', () => {
  const accuracy = { unit: 'C', points: [], passed: true, apart: 20, gain: 1.01, offset: 0.35 };
  const item = { accuracy, role: 'indoor_temp', name: 'Air' }; // all that it reads of it
  const panel = mounted(ItemAccuracy, { props: { item, canTake: false, holdAgainst: () => Promise.resolve() } });
  expect(panel.text()).toContain('0.35\u202fK');
});

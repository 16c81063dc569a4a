// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import AttributeTable from '../../../../../renderer/features/map/AttributeTable.vue';
import { mostDescribed } from '../../../../../renderer/features/map/attributes.ts';
import type { Feature } from '../../../../../server/contract/overlay.ts';
import { square } from '../../map/features.ts';
import { mounted } from '../../ui/mounted.ts';

function shape(digit: number, others: object): Feature {
  const { properties, ...rest } = square(digit);
  return { ...rest, properties: { ...properties, ...others } };
}

const note = 'first\nsecond';
const shapes = [shape(1, { crop: 'rice', tags: ['a'], note }), shape(2, { crop: 'wheat', tags: ['b'], note })];

it.each(['crop', 'tags', 'note'])('changes nothing by Enter in the field of %s that was not touched', async (key) => {
  const table = mounted(AttributeTable, { props: { shapes, isReadOnly: false } });
  await table.get(`input[aria-label="${key}"]`).trigger('keydown', { key: 'Enter' });
  expect(table.emitted('describe')).toBeUndefined();
});

it('changes all shapes to what is entered where they differ', async () => {
  const table = mounted(AttributeTable, { props: { shapes, isReadOnly: false } });
  await table.get('input[aria-label="crop"]').setValue('barley');
  expect(table.emitted('describe')).toEqual([[{ crop: 'barley' }]]);
});

it('says so in place of the attributes of more shapes than are put together', () => {
  const many = Array.from({ length: mostDescribed + 1 }, () => shapes).flat();
  const of = (count: number) => mounted(AttributeTable, { props: { shapes: many.slice(0, count), isReadOnly: false } });
  expect(of(mostDescribed).findAll('input').length).toBeGreaterThan(3);
  const table = of(mostDescribed + 1);
  expect(table.findAll('input')).toEqual([]);
  expect(table.text()).toContain('5,000');
});

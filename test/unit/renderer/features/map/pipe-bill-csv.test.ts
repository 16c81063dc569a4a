import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { billCsv } from '../../../../../renderer/features/map/pipe-bill-csv.ts';
import type { PipePlan } from '../../../../../server/contract/pipe.ts';

it('writes a shopping list that a spreadsheet reads, names of any language among them', () => {
  const plan = {
    bill_of_materials: [
      { item: 'pipe', diameter_mm: 63, quantity: 120, unit: 'm', price: 1.5, cost: 180 },
      { item: 'reducer', diameter_mm: 63, to_mm: 32, quantity: 2, unit: 'piece', price: null, cost: null },
    ],
    cost: { currency: 'KRW', total: 180, unpriced: 1 },
  } as Partial<PipePlan> as PipePlan; // all that the list is made of
  const text = billCsv(plan, ({ item }) => (item === 'pipe' ? '배관, 63 mm' : '=레듀서'));
  expect(text.startsWith('\uFEFF')).toBe(true);
  const [first, second] = parse<Record<string, string>>(text, { bom: true, columns: true });
  expect(first).toEqual({
    name: '배관, 63 mm',
    item: 'pipe',
    diameter_mm: '63',
    to_mm: '',
    quantity: '120',
    unit: 'm',
    price: '1.5',
    cost: '180',
    currency: 'KRW',
  });
  expect(second).toMatchObject({ name: "'=레듀서", to_mm: '32', price: '', cost: '', currency: '' });
});

import { stringify } from 'csv-stringify/browser/esm/sync';
import type { BillRow, PipePlan } from '../../../server/contract/pipe.ts';

/** A shopping list for a spreadsheet (RFC 4180): each row by name, with the service's values. */
export function billCsv({ bill_of_materials, cost }: PipePlan, nameOf: (row: BillRow) => string): string {
  const head = ['name', 'item', 'diameter_mm', 'to_mm', 'quantity', 'unit', 'price', 'cost', 'currency'];
  const rows = bill_of_materials.map((row) => {
    const { item, diameter_mm, to_mm, quantity, unit, price } = row;
    const currency = price === null ? null : cost.currency;
    return [nameOf(row), item, diameter_mm, to_mm, quantity, unit, price, row.cost, currency];
  });
  // By the mark a spreadsheet knows UTF-8.
  return `\uFEFF${stringify([head, ...rows], { escape_formulas: true, record_delimiter: 'windows' })}`;
}

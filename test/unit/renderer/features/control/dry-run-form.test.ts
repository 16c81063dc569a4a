import { expect, it } from 'vitest';
import { dryRunBody, triedStretches } from '../../../../../renderer/features/control/dry-run-form.ts';

it.each([
  [{}, 31 * 86_400],
  [{ period_s: 3 }, 86_400],
  [{ period_s: 1 }, 6 * 3_600],
])('tries %j over no more than the server looks', (form, longest_s) => {
  expect(triedStretches(form).at(-1)).toBe(longest_s);
});

it('asks for the stretch that ends now, and for nothing while the statement is missing', () => {
  const form = { statement: 'let a = 1;', conditions: [], actions: [] };
  expect(dryRunBody(form, 3_600, Date.parse('2026-03-02T12:00:00Z'))).toMatchObject({
    ...{ statement: 'let a = 1;', period_s: 60 },
    ...{ from: '2026-03-02T11:00:00.000Z', to: '2026-03-02T12:00:00.000Z' },
  });
  expect(dryRunBody({}, 3_600, 0)).toBeNull();
});

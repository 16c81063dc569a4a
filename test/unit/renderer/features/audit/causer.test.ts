import { expect, it } from 'vitest';
import { causerOf } from '../../../../../renderer/features/audit/causer.ts';

it('names the controller behind a record, and nobody where there was none', () => {
  const cause = { kind: 'pid', unique_id: 'x', name: 'Heating', because: '20 - 18 = 2' };
  expect(causerOf({ channel: 0, state: 'on', cause, outcome: 'confirmed' })).toBe('Heating');
  expect([causerOf(null), causerOf({ state: 'on' }), causerOf('on')]).toEqual([undefined, undefined, undefined]);
});

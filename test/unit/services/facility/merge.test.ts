import { describe, expect, it } from 'vitest';
import { applySave } from '../../../../server/services/facility/merge.ts';
import { mergeByKey } from '../../../../server/services/setting/merge-by-key.ts';

describe('mergeByKey', () => {
  it.each([
    ['keeps what is not named', { a: 1, b: 2 }, { b: 3 }, { a: 1, b: 3 }],
    [
      'merges objects inside objects',
      { o: { p: { x: 1 }, q: 2 } },
      { o: { p: { y: 2 } } },
      { o: { p: { x: 1, y: 2 }, q: 2 } },
    ],
    ['replaces lists whole', { l: [1, 2] }, { l: [3] }, { l: [3] }],
    ['takes a key away by null', { a: 1, o: { x: 1, y: 2 } }, { a: null, o: { x: null } }, { o: { y: 2 } }],
    ['takes no null into a new object', {}, { o: { x: null, y: 1 } }, { o: { y: 1 } }],
    ['leaves a key that is undefined', { a: 1 }, { a: undefined }, { a: 1 }],
  ])('%s', (_, before, patch, after) => {
    expect(mergeByKey(before, patch)).toEqual(after);
  });
});

describe('applySave', () => {
  const id = 'ABCDEF00-0000-4000-8000-000000000001';

  it('empties notes by null, for they are never absent', () => {
    expect(applySave({ notes: 'old' }, { notes: null })).toEqual({ notes: '' });
  });

  it('takes no read-only field', () => {
    expect(applySave({ revision: 3, geo_id: 'a' }, { revision: 9, geo_id: id })).toEqual({ revision: 3, geo_id: 'a' });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differencesOf } from '../../../../../renderer/features/audit/diff.ts';

describe('what a record changed', () => {
  it('is told member by member, at any depth', () => {
    const before = { role: 'Monitor', email: null, channels: [{ name: 'a' }, { name: 'b' }] };
    const after = { role: 'Editor', email: null, channels: [{ name: 'a', unit: 'C' }] };
    expect(differencesOf(before, after)).toEqual([
      { path: 'role', kind: 'changed', before: 'Monitor', after: 'Editor' },
      { path: 'channels[1].name', kind: 'removed', before: 'b', after: undefined },
      { path: 'channels[0].unit', kind: 'added', before: undefined, after: 'C' },
    ]);
  });

  it('is all of what was made, and all of what was deleted', () => {
    expect(differencesOf(null, { name: 'x', held: [] })).toEqual([
      { path: 'name', kind: 'added', before: undefined, after: 'x' },
      { path: 'held', kind: 'added', before: undefined, after: '[]' },
    ]);
    expect(differencesOf({ n: 1 }, null)).toEqual([{ path: 'n', kind: 'removed', before: 1, after: undefined }]);
  });

  it('shows a value without members by an empty path', () => {
    expect(differencesOf(true, false)).toEqual([{ path: '', kind: 'changed', before: true, after: false }]);
  });

  it('is nothing between the same, and mirrored the other way round', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        // fast-check's JSON is the wire's JSON.
        const [a, b] = [one, other] as Parameters<typeof differencesOf>;
        expect(differencesOf(a, a)).toEqual([]);
        const back = new Map(differencesOf(b, a).map((found) => [found.path, found]));
        for (const { path, before, after } of differencesOf(a, b)) {
          expect(back.get(path)).toMatchObject({ before: after, after: before });
        }
      }),
    );
  });
});

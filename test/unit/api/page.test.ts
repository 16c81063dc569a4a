import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageOf } from '../../../server/api/page.ts';
import { refusalOf } from '../../support/refusal.ts';

const id = (text: string): string => text;

/** All pages of a list that stays as it is. */
function pages(items: readonly string[], limit: number): string[][] {
  const found: string[][] = [];
  let cursor: string | undefined;
  do {
    const { page, next_cursor } = pageOf(items, { limit, cursor }, id);
    found.push(page);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

describe('pages of a list', () => {
  it('are all of it, each full but the last', () => {
    const lists = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 }).filter((text) => !text.includes('\n')));
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 5 }), (items, limit) => {
        const found = pages(items, limit);
        expect(found.flat()).toEqual(items);
        expect(found.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      }),
    );
  });

  it('are the whole list where nobody limits them', () => {
    expect(pageOf(['a', 'b'], {}, id)).toEqual({ page: ['a', 'b'], next_cursor: null });
    expect(pageOf([], {}, id)).toEqual({ page: [], next_cursor: null });
  });

  it('go on where they were when entries come and go meanwhile', () => {
    const { next_cursor } = pageOf(['a', 'b', 'c', 'd'], { limit: 2 }, id);
    const cursor = next_cursor ?? '';
    expect(pageOf(['new', 'a', 'b', 'c', 'd'], { limit: 2, cursor }, id).page).toEqual(['c', 'd']);
    expect(pageOf(['a', 'c', 'd'], { limit: 2, cursor }, id).page).toEqual(['c', 'd']);
  });

  it.each(['x', '', '-1.a', '5'])('refuse the cursor %j, which was never given out', async (cursor) => {
    expect((await refusalOf(() => pageOf(['a'], { cursor }, id))).code).toBe('invalid_field');
  });
});

import { refusePlainly } from '../contract/errors.ts';

interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/**
 * Cuts a page from a list that is in memory as a whole. A cursor names the previous page's last entry and its place: if
 * that entry is gone, the list continues from its place. Refuses any other cursor with `invalid_field`.
 */
export function pageOf<Item>(
  items: readonly Item[],
  { limit = Infinity, cursor }: PageQuery,
  idOf: (item: Item) => string,
): { page: Item[]; next_cursor: string | null } {
  const start = cursor === undefined ? 0 : startAfter(items.map(idOf), cursor);
  const end = Math.min(items.length, start + limit);
  const last = items[end - 1];
  const isLast = last === undefined || end === items.length;
  return { page: items.slice(start, end), next_cursor: isLast ? null : `${end - 1}.${idOf(last)}` };
}

function startAfter(ids: readonly string[], cursor: string): number {
  const [, place, id = ''] = /^(\d{1,9})\.(.+)$/.exec(cursor) ?? [];
  if (place === undefined) throw refusePlainly('invalid_field', 'cursor', 'is not one that was given out');
  const found = ids.indexOf(id);
  return found === -1 ? Math.min(Number(place), ids.length) : found + 1;
}

import type { ExportPage, ExportRequest } from '../../measurement/reader.ts';

type Read = (request: ExportRequest) => Promise<ExportPage>;

/**
 * Pages of samples with the same series as they were some time earlier in further columns, at the time that much later.
 */
export async function* besideEarlier(
  read: Read,
  { from_ms, to_ms, ...asked }: ExportRequest,
  earlierMs: number,
): AsyncGenerator<ExportPage> {
  for (let nextMs: number | null = from_ms; nextMs !== null;) {
    const [own, before] = await Promise.all([
      read({ ...asked, from_ms: nextMs, to_ms }),
      read({ ...asked, from_ms: nextMs - earlierMs, to_ms: to_ms - earlierMs }),
    ]);
    const page: ExportPage = joined(own, later(before, earlierMs));
    yield page;
    nextMs = page.next_ms;
  }
}

function later({ times, values, next_ms }: ExportPage, byMs: number): ExportPage {
  return { times: times.map((atMs) => atMs + byMs), values, next_ms: next_ms === null ? null : next_ms + byMs };
}

/** As far as both reach: what one has beyond that is read again. */
function joined(one: ExportPage, other: ExportPage): ExportPage {
  const untilMs = Math.min(one.next_ms ?? Infinity, other.next_ms ?? Infinity);
  const times = [...new Set([...one.times, ...other.times])].filter((atMs) => atMs < untilMs).sort((a, b) => a - b);
  const columnsOf = (page: ExportPage): (number | null)[][] => {
    const rows = new Map(page.times.map((atMs, row) => [atMs, row]));
    return page.values.map((column) => times.map((atMs) => column[rows.get(atMs) ?? -1] ?? null));
  };
  return {
    times,
    values: [...columnsOf(one), ...columnsOf(other)],
    next_ms: untilMs === Infinity ? null : untilMs,
  };
}

import type { StateInterval } from '../../domain/analytics/state-time.ts';
import type { Span } from '../../domain/series/resolution.ts';
import type { ExportPage } from '../../measurement/reader.ts';

interface StateSource {
  /** The states of each output within a part of the span, in the order of time: the newest `limit` of each. */
  read: (part: Span) => Promise<readonly (readonly StateInterval[])[]>;
  limit: number;
  /** Of a page that is given, all columns counted. */
  mostCells: number;
}

/** Of those that touch a part, at its two ends, some may last for no time in it and be left out. */
const ends = 2;

/**
 * Adds a column for each output to pages of samples: its state at every line, %, and a line for every change. Null
 * while the state is unknown or was not recorded. No more states are held at a time than `limit` of each output, and no
 * more cells than `mostCells`: a page with more is given in parts, each after a read of its own, so that others get
 * their turn between them.
 */
export async function* withStates(
  pages: AsyncIterable<ExportPage>,
  source: StateSource,
  span: Span,
): AsyncGenerator<ExportPage> {
  let fromMs = span.from_ms;
  for await (const page of pages) {
    const part = { from_ms: fromMs, to_ms: page.next_ms ?? span.to_ms };
    yield* withStatesOf(page, part, source, fromMs === span.from_ms);
    fromMs = part.to_ms;
  }
}

async function* withStatesOf(
  page: ExportPage,
  { from_ms, to_ms }: Span,
  source: StateSource,
  isFirst: boolean,
): AsyncGenerator<ExportPage> {
  // A state that goes on from the part before is no change: it is seen to begin before this one.
  const states = await source.read({ from_ms: isFirst ? from_ms : from_ms - 1, to_ms });
  const changes = states.flatMap((some) => some.flatMap((one) => [one.from_ms, one.to_ms]));
  const due = changes.filter((atMs) => atMs >= from_ms && atMs < to_ms);
  const times = [...new Set([...page.times, ...due])].sort((a, b) => a - b);
  const areCut = states.some(({ length }) => length >= source.limit - ends);
  const isLarge = times.length * (page.values.length + states.length) > source.mostCells;
  if ((areCut || isLarge) && to_ms - from_ms > 1) {
    const middleMs = Math.floor((from_ms + to_ms) / 2);
    const [before, after] = halves(page, middleMs);
    yield* withStatesOf(before, { from_ms, to_ms: middleMs }, source, isFirst);
    yield* withStatesOf(after, { from_ms: middleMs, to_ms }, source, false);
    return;
  }
  const rows = new Map(page.times.map((atMs, row) => [atMs, row]));
  yield {
    times,
    values: [
      ...page.values.map((column) => times.map((atMs) => column[rows.get(atMs) ?? -1] ?? null)),
      ...states.map((some) => times.map(heldStates(some))),
    ],
    next_ms: page.next_ms,
  };
}

function halves({ times, values, next_ms }: ExportPage, middleMs: number): [ExportPage, ExportPage] {
  const found = times.findIndex((atMs) => atMs >= middleMs);
  const row = found < 0 ? times.length : found;
  return [
    { times: times.slice(0, row), values: values.map((column) => column.slice(0, row)), next_ms: middleMs },
    { times: times.slice(row), values: values.map((column) => column.slice(row)), next_ms },
  ];
}

/** The state at moments that are asked for in the order of time. */
function heldStates(states: readonly StateInterval[]): (atMs: number) => number | null {
  let at = 0;
  return (atMs) => {
    while ((states[at]?.to_ms ?? Infinity) <= atMs) at += 1;
    const now = states[at];
    return now === undefined || now.from_ms > atMs ? null : now.state;
  };
}

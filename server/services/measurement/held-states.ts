import type { StateInterval } from '../../domain/analytics/state-time.ts';
import type { Span } from '../../domain/series/resolution.ts';
import type { ExportPage } from '../../measurement/reader.ts';

/**
 * Adds a column for each output to pages of samples: its state at every line, %, and a line for every change. Null
 * while the state is unknown or was not recorded. `states` of each output are in the order of time.
 */
export async function* withStates(
  pages: AsyncIterable<ExportPage>,
  states: readonly (readonly StateInterval[])[],
  span: Span,
): AsyncGenerator<ExportPage> {
  const changes = states.flatMap((some) => some.flatMap(({ from_ms, to_ms }) => [from_ms, to_ms]));
  const due = [...new Set(changes)].filter((atMs) => atMs < span.to_ms).sort((a, b) => a - b);
  const columns = states.map(heldStates);
  let told = 0;
  for await (const { times: sampled, values, next_ms } of pages) {
    const untilMs = next_ms ?? Infinity;
    const first = told;
    while ((due[told] ?? Infinity) < untilMs) told += 1;
    const times = [...new Set([...sampled, ...due.slice(first, told)])].sort((a, b) => a - b);
    const rows = new Map(sampled.map((atMs, row) => [atMs, row]));
    yield {
      times,
      values: [
        ...values.map((column) => times.map((atMs) => column[rows.get(atMs) ?? -1] ?? null)),
        ...columns.map((stateAt) => times.map(stateAt)),
      ],
      next_ms,
    };
  }
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

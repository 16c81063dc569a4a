import type { Condition, Conditional } from '../../../contract/conditional.ts';
import type { Reason } from '../../../contract/reason.ts';
import type { Value } from '../../expression/operations.ts';
import { compileRule, takenOf } from '../conditional.ts';
import { countUpTo, freshAt, type StoredSeries, type StoredStates } from './stored.ts';

/** The stored data behind one condition; null when there is none, as for whether a controller ran. */
export type StoredCondition = StoredSeries | StoredStates | null;

export interface ConditionalDryRunAsked {
  rule: Pick<Conditional, 'statement' | 'conditions' | 'actions'>;
  /** For each condition, in order. */
  stored: readonly StoredCondition[];
  /** The first tick, epoch ms. */
  from_ms: number;
  period_ms: number;
  looks: number;
  /** Maximum actions listed. */
  mostListed: number;
}

export interface ConditionalDryRunFound {
  runs: { at_ms: number; action: string; value: number | boolean | null; reason: Reason }[];
  run_count: number;
  stops: { line: number; column: number; reason: 'missing' | 'budget'; count: number; first_ms: number }[];
}

/** Maximum readings in one tick, as for a running conditional function. */
const mostReadings = 20_000;

/**
 * What the statement of a conditional function would have requested, tick by tick, from stored data. It must be free of
 * faults.
 */
export function conditionalDryRun({
  rule,
  stored,
  from_ms,
  period_ms,
  looks,
  mostListed,
}: ConditionalDryRunAsked): ConditionalDryRunFound {
  const compiled = compileRule(rule);
  const found: ConditionalDryRunFound = { runs: [], run_count: 0, stops: [] };
  if (!('evaluate' in compiled)) return found;
  const units = stored.map((one) => (one !== null && 'unit' in one ? one.unit : null));
  for (let look = 0; look < looks; look += 1) {
    const atMs = from_ms + look * period_ms;
    const values = rule.conditions.map((one, index) => valueAt(one, stored[index] ?? null, atMs));
    const { runs, stopped } = compiled.evaluate(values, units);
    found.run_count += runs.length;
    const listed = runs.slice(0, Math.max(0, mostListed - found.runs.length));
    for (const { action, value = null, reason } of listed) found.runs.push({ at_ms: atMs, action, value, reason });
    if (stopped !== undefined) countStop(found.stops, { ...stopped, first_ms: atMs });
  }
  return found;
}

type Stop = Omit<ConditionalDryRunFound['stops'][number], 'count'>;

function countStop(stops: ConditionalDryRunFound['stops'], { line, column, reason, first_ms }: Stop): void {
  const known = stops.find((one) => one.line === line && one.column === column && one.reason === reason);
  if (known === undefined) stops.push({ line, column, reason, count: 1, first_ms });
  else known.count += 1;
}

function valueAt(one: Condition, stored: StoredCondition, atMs: number): Value {
  if (stored === null) return null;
  if ('states' in stored) return outputAt(one.kind, stored.states, atMs);
  if (one.kind === 'measurement') return freshAt(stored.samples, atMs, one.max_age_s)?.value ?? null;
  if (one.kind !== 'past' && one.kind !== 'dict') return null;
  const { times, values } = stored.samples;
  const end = countUpTo(times, atMs);
  const begin = Math.max(countUpTo(times, atMs - one.over_s * 1000), end - mostReadings);
  const list = [...values.subarray(begin, end)];
  return one.kind === 'dict' ? list : takenOf(one.take, list);
}

function outputAt(kind: Condition['kind'], states: StoredStates['states'], atMs: number): Value {
  const place = states.findLastIndex(({ from_ms }) => from_ms <= atMs);
  const now = states[place];
  if (now === undefined || now.to_ms < atMs || now.state === null) return null;
  if (kind === 'output_state') return now.state > 0;
  if (kind === 'output_duty') return now.state;
  if (now.state <= 0) return 0;
  let sinceMs = now.from_ms;
  for (let before = place - 1; before >= 0; before -= 1) {
    const one = states[before];
    if (one === undefined || one.to_ms !== sinceMs || one.state === null || one.state <= 0) break;
    sinceMs = one.from_ms;
  }
  return (atMs - sinceMs) / 1000;
}

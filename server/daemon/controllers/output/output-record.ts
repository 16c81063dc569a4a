import { commandSources } from '../../../contract/output.ts';
import type { OutputStateRow } from '../../../db/repositories/output-state.ts';
import type { Clock } from '../../clock.ts';
import type { OutputValue } from '../../drivers/driver.ts';
import type { Claim } from './priority-array.ts';
import { OnTime } from './on-time.ts';

/** What outlives the daemon of one channel, in elapsed times of this daemon. */
export interface Remembered {
  on_time: OnTime;
  last_value: OutputValue | null;
  override: Claim | undefined;
  /** A kept command that never acted: the next daemon reports it as dropped. */
  kept: Claim | undefined;
}

export interface RecordKey {
  output_id: string;
  channel: number;
}

/**
 * A manual claim with an end is an override and survives a restart; any other command does not, nor one that has not
 * acted yet.
 */
export function isOverride(claim: Claim | undefined): claim is Claim & { hold: number } {
  return claim?.source === 'manual' && typeof claim.hold === 'number' && claim.kept === undefined;
}

/** Converts an elapsed time to epoch ms; null when there is none. */
export function epochOf_ms(elapsedMs: number | null, clock: Clock): number | null {
  if (elapsedMs === null || !Number.isFinite(elapsedMs)) return null;
  return Math.round(clock.now() + elapsedMs - clock.elapsed());
}

/** Differences up to this between clock and counter, ms, are drift; larger ones mean that the clock was set. */
const jitterMs = 1000;

/**
 * When a hold ends, epoch ms; null when no time ends it. This is the requested end to the millisecond, unless the clock
 * was set since: then it follows from the elapsed time that remains.
 */
export function holdEnd({ hold, hold_until_ms }: Pick<Claim, 'hold' | 'hold_until_ms'>, clock: Clock): number | null {
  const counted = typeof hold === 'number' ? epochOf_ms(hold, clock) : null;
  if (counted === null || hold_until_ms === undefined) return counted;
  return Math.abs(counted - hold_until_ms) < jitterMs ? Math.round(hold_until_ms) : counted;
}

/** Makes the row of control.db, with elapsed times as epoch times. */
export function toRow(key: RecordKey, remembered: Remembered, clock: Clock): OutputStateRow {
  const { on_time: onTime, last_value, override, kept } = remembered;
  return {
    output_id: key.output_id,
    channel: key.channel,
    last_value,
    on_since_ms: epochOf_ms(onTime.on_since, clock),
    min_off_s: onTime.min_off_s,
    min_off_until_ms: epochOf_ms(onTime.min_off_until, clock),
    override_value: override?.value ?? null,
    override_actor: override?.actor ?? null,
    override_reason: override?.reason ?? null,
    override_until_ms: isOverride(override) ? holdEnd(override, clock) : null,
    override_ends_ms: epochOf_ms(override?.ends_at ?? null, clock),
    kept_value: kept?.value ?? null,
    kept_source: kept?.source ?? null,
    kept_actor: kept?.actor ?? null,
    kept_hold_ms: typeof kept?.hold === 'number' ? epochOf_ms(kept.hold, clock) : null,
  };
}

/** Reads a row back. Setting the clock back cannot make a channel stay off for longer than was asked. */
export function fromRow(row: OutputStateRow, clock: Clock): Remembered {
  const elapsed = (timeMs: number): number => clock.elapsed() + timeMs - clock.now();
  const onTime = new OnTime();
  onTime.min_off_s = row.min_off_s;
  if (row.on_since_ms !== null) onTime.on_since = Math.min(elapsed(row.on_since_ms), clock.elapsed());
  if (row.min_off_until_ms !== null) {
    onTime.min_off_until = Math.min(elapsed(row.min_off_until_ms), clock.elapsed() + row.min_off_s * 1000);
  }
  return {
    on_time: onTime,
    last_value: row.last_value,
    override: overrideOf(row, elapsed),
    kept: keptOf(row, elapsed),
  };
}

function overrideOf(row: OutputStateRow, elapsed: (timeMs: number) => number): Claim | undefined {
  if (row.override_value === null || row.override_until_ms === null) return undefined;
  return {
    source: 'manual',
    actor: row.override_actor ?? '',
    value: row.override_value,
    hold: elapsed(row.override_until_ms),
    hold_until_ms: row.override_until_ms,
    ends_at: row.override_ends_ms === null ? null : elapsed(row.override_ends_ms),
    min_off_s: row.min_off_s,
    ...(row.override_reason !== null && { reason: row.override_reason }),
  };
}

function keptOf(row: OutputStateRow, elapsed: (timeMs: number) => number): Claim | undefined {
  const source = commandSources.find((one) => one === row.kept_source);
  if (row.kept_value === null || source === undefined) return undefined;
  return {
    source,
    actor: row.kept_actor ?? '',
    value: row.kept_value,
    ends_at: null,
    hold: row.kept_hold_ms === null ? 'next_command' : elapsed(row.kept_hold_ms),
    kept: { untilMs: elapsed(row.kept_hold_ms ?? 0) },
  };
}

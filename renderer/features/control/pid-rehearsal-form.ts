import {
  pidRehearsalRequest,
  rehearsableParts,
  type PidGains,
  type PidRehearsalRequest,
  type RehearsableQuantity,
  type RehearsedPart,
} from '../../../server/contract/pid-rehearsal.ts';
import type { Pid } from '../../../server/contract/pid.ts';

/** The form of a rehearsal; null where a field is empty. */
export interface RehearsalForm {
  from: number | null;
  to: number | null;
  hours: number | null;
  lag_s: number | null;
  temp_c: number | null;
  radiation_w_m2: number | null;
  wind_m_s: number | null;
  raise: RehearsedPart | null;
  lower: RehearsedPart | null;
}

/** Usual setpoint step for a loop of each quantity. */
const usualStep: Record<RehearsableQuantity, number> = { temperature: 2, humidity: 5, co2: 200, light: 50 };

/** The quantity of a simulated house; null when its model lacks it. */
export function quantityOf(measurement: string | undefined): RehearsableQuantity | null {
  return (Object.keys(rehearsableParts) as RehearsableQuantity[]).find((one) => one === measurement) ?? null; // one of its keys
}

/** A night for heating, a sunny day for cooling: conditions that make the outputs work. */
export function usualRehearsal(
  { direction }: Pick<Pid, 'direction'>,
  quantity: RehearsableQuantity,
  setpoint: number | null,
): RehearsalForm {
  const from = setpoint ?? 20;
  const isLowering = direction === 'lower';
  const step = (isLowering ? -1 : 1) * usualStep[quantity];
  const outdoor = isLowering
    ? { temp_c: 18, radiation_w_m2: 600, wind_m_s: 3 }
    : { temp_c: 5, radiation_w_m2: 0, wind_m_s: 2 };
  return { from, to: from + step, hours: 3, lag_s: 180, ...outdoor, raise: null, lower: null };
}

/** The request; null while something is empty or out of range. */
export function rehearsalBody(form: RehearsalForm, gains: readonly PidGains[]): PidRehearsalRequest | null {
  const { from, to, hours, lag_s, temp_c, radiation_w_m2, wind_m_s, raise, lower } = form;
  const body = {
    gains,
    from,
    to,
    hours,
    lag_s,
    outdoor: { temp_c, radiation_w_m2, wind_m_s },
    ...(raise !== null && { raise }),
    ...(lower !== null && { lower }),
  };
  return from === to ? null : (pidRehearsalRequest.safeParse(body).data ?? null);
}

interface Frame {
  width: number;
  height: number;
  pad: number;
}

/** Lines of several columns over one time axis, with their common minimum and maximum. */
export function linesOf(
  times_s: readonly number[],
  columns: readonly (readonly number[])[],
  { width, height, pad }: Frame,
): { paths: string[]; least: number; most: number; xAt: (time_s: number) => number; yAt: (value: number) => number } {
  const all = columns.flat();
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = Math.max((high - low) * 0.08, 0.1);
  const [least, most] = [low - room, high + room];
  const [from, to] = [times_s[0] ?? 0, times_s.at(-1) ?? 1];
  const xAt = (time_s: number): number => pad + ((time_s - from) / (to - from || 1)) * (width - 2 * pad);
  const yAt = (value: number): number => height - pad - ((value - least) / (most - least)) * (height - 2 * pad);
  const paths = columns.map((column) => {
    const places = column.map((value, at) => `${xAt(times_s[at] ?? 0).toFixed(1)},${yAt(value).toFixed(1)}`);
    return places.length === 0 ? '' : `M${places.join('L')}`;
  });
  return { paths, least: low, most: high, xAt, yAt };
}

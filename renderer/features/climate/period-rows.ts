import type { ClimatePeriod } from '../../../server/contract/climate-settings.ts';

/** A period as it is entered; null for what is empty. */
export interface PeriodRow {
  name: string;
  event: ClimatePeriod['start']['event'];
  at: string;
  offset_min: number | null;
  heating_c: number | null;
  ventilation_c: number | null;
  humidity_pct: number | null;
  co2_ppm: number | null;
  /** Ramp of the temperatures; null for none, or one in minutes, which stays as it is. */
  k_per_h: number | null;
  /** What the page does not show of it. */
  rest: Pick<ClimatePeriod, 'ramp' | 'setpoints'>;
}

export function rowOf({ name, start, ramp, setpoints }: ClimatePeriod): PeriodRow {
  return {
    ...{ name, event: start.event, at: start.at ?? '06:00', offset_min: start.offset_min ?? 0 },
    ...{ heating_c: setpoints.heating_c, ventilation_c: setpoints.ventilation_c },
    ...{ humidity_pct: setpoints.humidity_pct ?? null, co2_ppm: setpoints.co2_ppm ?? null },
    k_per_h: ramp !== undefined && 'k_per_h' in ramp ? ramp.k_per_h : null,
    rest: { setpoints, ...(ramp !== undefined && { ramp }) },
  };
}

/** Null while a number that must be there is missing. */
export function periodOf(row: PeriodRow): ClimatePeriod | null {
  const { name, event, at, offset_min, heating_c, ventilation_c, humidity_pct, co2_ppm, k_per_h, rest } = row;
  if (heating_c === null || ventilation_c === null || name.trim() === '') return null;
  const { humidity_pct: _humidity, co2_ppm: _co2, ...kept } = rest.setpoints;
  const ramp = k_per_h === null ? (rest.ramp && 'minutes' in rest.ramp ? rest.ramp : undefined) : { k_per_h };
  return {
    name,
    start: event === 'clock' ? { event, at } : { event, offset_min: offset_min ?? 0 },
    ...(ramp !== undefined && { ramp }),
    setpoints: {
      ...{ ...kept, heating_c, ventilation_c },
      ...(humidity_pct !== null && { humidity_pct }),
      ...(co2_ppm !== null && { co2_ppm }),
    },
  };
}

/** Null while one of them is not complete. */
export function periodsOf(rows: readonly PeriodRow[]): ClimatePeriod[] | null {
  const periods = rows.map(periodOf);
  return periods.every((one) => one !== null) ? periods : null;
}

/** One more period, which the person fills. */
export function newRow(name: string): PeriodRow {
  const setpoints = { heating_c: 18, ventilation_c: 22 };
  return rowOf({ name, start: { event: 'noon', offset_min: 0 }, ramp: { k_per_h: 1 }, setpoints });
}

/** Day and night, by which a house begins. */
export function firstRows(day: string, night: string): PeriodRow[] {
  const periods: ClimatePeriod[] = [
    {
      ...{ name: day, start: { event: 'sunrise', offset_min: 0 }, ramp: { k_per_h: 1.5 } },
      setpoints: { heating_c: 18, ventilation_c: 22 },
    },
    {
      ...{ name: night, start: { event: 'sunset', offset_min: 0 }, ramp: { k_per_h: 1 } },
      setpoints: { heating_c: 16, ventilation_c: 20 },
    },
  ];
  return periods.map(rowOf);
}

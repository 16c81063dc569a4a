import type { Facility } from '../../contract/facility.ts';
import type { SensorRole } from '../../contract/facility-binding.ts';
import { sunOf } from '../../domain/analytics/light-sum.ts';
import { meanWindDirection_deg } from '../../domain/climate/air.ts';
import type { MeasurementReader } from '../../measurement/reader.ts';

export const quarter_s = 900;
const quarterMs = quarter_s * 1000;

/** The required unit of each role; light of any unit is converted to radiation. */
const units: Partial<Record<SensorRole, string>> = {
  indoor_temp: 'C',
  outdoor_temp: 'C',
  indoor_humidity: '%',
  outdoor_humidity: '%',
  outdoor_wind: 'm/s',
  outdoor_wind_dir: 'deg',
};

interface Asked {
  facility: Facility;
  from_ms: number;
  /** Number of quarter hours from then on. */
  count: number;
}

/**
 * Reads the stored measurements of a role in quarter hours: from its own sensor, else from a substitute. null when the
 * house binds none with the right unit; a quarter without a sample is null.
 */
export function quarterReader(
  reader: Pick<MeasurementReader, 'means'>,
  { facility, from_ms, count }: Asked,
  signal: AbortSignal,
): (role: SensorRole) => Promise<(number | null)[] | null> {
  const span = { from_ms, to_ms: from_ms + count * quarterMs };
  return async (role) => {
    const bound = facility.sensors.filter((one) => one.role === role);
    const [own] = [...bound.filter((one) => one.is_substitute !== true), ...bound];
    if (own === undefined) return null;
    const { device_id, measurement_id } = own;
    const means = await reader.means({ series: { device_id, measurement_id }, ...span }, signal);
    if (means === null) return Array.from({ length: count }, () => null);
    const share = role === 'outdoor_solar' ? sunOf(means.unit) : units[role] === means.unit ? 1 : undefined;
    if (share === undefined) return null;
    const mean = role === 'outdoor_wind_dir' ? meanDirection : meanOf;
    return quarters(means, from_ms, count).map((values) => (values.length === 0 ? null : mean(values) * share));
  };
}

/** The means within each quarter hour. */
function quarters(means: { start_ms: number[]; mean: number[] }, fromMs: number, count: number): number[][] {
  const values = Array.from({ length: count }, (): number[] => []);
  for (const [index, startMs] of means.start_ms.entries())
    values[Math.floor((startMs - fromMs) / quarterMs)]?.push(means.mean[index] ?? 0);
  return values;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

function meanDirection(values: readonly number[]): number {
  return meanWindDirection_deg(values.map((direction_deg) => ({ direction_deg, speed_m_s: 1 }))) ?? values[0] ?? 0;
}

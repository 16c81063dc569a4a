import type { AlarmCondition } from '../../../contract/alarm.ts';
import type { ClimateFallback } from '../../../contract/climate-live.ts';
import type { SensorRole } from '../../../contract/facility-binding.ts';
import { raiseable } from '../../alarms/alarm-key.ts';

/** The sensor whose loss causes each fallback; none for water. */
export const lostRoleOf: Partial<Record<ClimateFallback, SensorRole>> = {
  no_thermometer: 'indoor_temp',
  station_lost: 'outdoor_wind',
  no_station: 'outdoor_wind',
  vane_stuck: 'outdoor_wind_dir',
  no_vane: 'outdoor_wind_dir',
  no_rain: 'rain',
  no_co2: 'indoor_co2',
  co2_stuck: 'indoor_co2',
  no_humidity: 'indoor_humidity',
  no_radiation: 'outdoor_solar',
  no_outdoor: 'outdoor_temp',
  no_pipe: 'pipe_temp',
  no_sky: 'outdoor_longwave',
  no_moisture: 'soil_moisture',
  no_drain: 'drain_flow',
};

interface Missing {
  fallbacks: readonly ClimateFallback[];
  /** Roles that only a substitute sensor serves. */
  substituted: readonly SensorRole[];
}

/** A condition for each missing sensor of a program, and for each fault of its irrigation. */
export function missingConditions(
  { unique_id: source_id, name: source_name }: { unique_id: string; name: string },
  { fallbacks, substituted }: Missing,
): AlarmCondition[] {
  const about = { source_kind: 'controller', source_id, source_name, severity: 'warning' } as const;
  return fallbacks.flatMap((name) => {
    const roles = name === 'substitute' ? substituted : [lostRoleOf[name] ?? null];
    return roles.map((role) => raiseable({ ...about, code: 'climate_fallback', name, role }));
  });
}

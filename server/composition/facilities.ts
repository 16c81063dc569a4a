import { dirname } from 'node:path';
import { contentVersion } from '../db/content-version.ts';
import { FacilityApply } from '../services/facility/apply.ts';
import { FacilityCapacity } from '../services/facility/capacity.ts';
import { FacilityService } from '../services/facility/facility.ts';
import { FacilityRuntime } from '../services/facility/runtime.ts';
import { HouseSimulations } from '../services/facility/simulation.ts';
import { FacilityStudy } from '../services/facility/study.ts';
import { WeatherFiles } from '../services/facility/weather-files.ts';
import type { DaemonConnections } from './daemon-connections.ts';
import type { Devices } from './devices.ts';
import type { ServiceParts } from './parts.ts';

/**
 * Composes the houses: their construction, their capacity and their live state; the watch of their alarms is in
 * `alarms.ts`.
 */
export function composeFacilities(parts: ServiceParts & DaemonConnections & Pick<Devices, 'commander'>) {
  const { db, repositories, commits, settings, begun, daemonSettings } = parts;
  const stored = { ...parts, ...repositories };
  const facilities = new FacilityService(stored);
  const capacity = new FacilityCapacity({ ...repositories, site: settings });
  const dataDirectory = dirname(parts.measurementsFile);
  const study = new FacilityStudy(capacity, dataDirectory);
  begun.defer(() => study.close());
  return {
    facilities,
    capacity,
    study,
    weatherFiles: new WeatherFiles({ ...stored, dataDirectory, study }),
    runtime: new FacilityRuntime({
      ...stored,
      facilities,
      content: contentVersion(db, commits),
      alarmLimits: () => settings().alarm_limits,
      elevation_m: () => settings().design_conditions.elevation_m,
    }),
    apply: new FacilityApply({ ...stored, facilities }),
    simulations: new HouseSimulations({
      ...stored,
      houses: facilities,
      capacity,
      daemon: daemonSettings,
      interlocks: () => settings().safety.interlocks,
      language: () => settings().language,
    }),
  };
}

export type Facilities = ReturnType<typeof composeFacilities>;

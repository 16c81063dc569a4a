import { dirname } from 'node:path';
import { openMeasurementReader } from '../measurement/sqlite/reader.ts';
import { DryRunService } from '../services/device/dry-run.ts';
import { ClimateRehearsal } from '../services/facility/rehearsal.ts';
import { AnalyticsService } from '../services/measurement/analytics.ts';
import { MeasurementService } from '../services/measurement/measurement.ts';
import { SampleBatches } from '../services/measurement/sample-batches.ts';
import { MeasurementSettingService } from '../services/measurement/setting.ts';
import { UnitService } from '../services/measurement/unit.ts';
import type { DaemonConnections } from './daemon-connections.ts';
import type { Devices } from './devices.ts';
import type { Facilities } from './facilities.ts';
import type { ServiceParts } from './parts.ts';

export type Measurements = ReturnType<typeof composeMeasurements>;

/** Composes the measurements with their configuration. */
export function composeMeasurements(
  parts: ServiceParts &
    DaemonConnections &
    Pick<Devices, 'drafted' | 'climates' | 'inputs'> &
    Pick<Facilities, 'capacity'>,
) {
  const { repositories, measurementsFile, settings, begun } = parts;
  const reader = openMeasurementReader(measurementsFile);
  begun.defer(() => reader.close());
  const shared = {
    ...parts,
    ...repositories,
    daemon: parts.connect(),
    reader,
    timeZone: () => settings().time_zone,
    siteName: () => settings().site_name,
    place: () => settings(),
  };
  const dryRuns = new DryRunService(shared);
  begun.defer(() => dryRuns.close());
  const rehearsal = new ClimateRehearsal({ ...shared, dataDirectory: dirname(measurementsFile) });
  begun.defer(() => rehearsal.close());
  const units = new UnitService({ ...shared, rows: repositories.units });
  return {
    dryRuns,
    rehearsal,
    units,
    measurements: new MeasurementService({ ...shared, units, batches: new SampleBatches(shared) }),
    analytics: new AnalyticsService(shared),
    measurementSettings: new MeasurementSettingService({
      ...shared,
      inputs: parts.inputs,
      rows: repositories.retention,
    }),
  };
}

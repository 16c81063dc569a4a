import type { AuditSink } from '../../auth/actor.ts';
import type { Clock } from '../../auth/clock.ts';
import type { LaterWrites } from '../../db/later-writes.ts';
import type { Database } from '../../db/open.ts';
import { FacilityRepository } from '../../db/repositories/facility.ts';
import { InputRepository } from '../../db/repositories/input.ts';
import { MeasurementRetentionRepository } from '../../db/repositories/measurement-retention.ts';
import { OutputRepository } from '../../db/repositories/output.ts';
import { UnitRepository } from '../../db/repositories/unit.ts';
import { transactor } from '../../db/transaction.ts';
import { openMeasurementReader } from '../../measurement/sqlite/reader.ts';
import { AnalyticsService } from './analytics.ts';
import { SampleBatches } from './sample-batches.ts';
import type { DaemonPort } from '../live/daemon-port.ts';
import type { LiveCache } from '../live/live.ts';
import { MeasurementSettingService } from './setting.ts';
import { MeasurementService } from './measurement.ts';
import { UnitService } from './unit.ts';

interface ComposeOptions {
  /** orangery.db, migrated. */
  db: Database;
  /** Path of measurements.db, migrated. */
  measurementsFile: string;
  clock: Clock;
  audit: AuditSink;
  later: Pick<LaterWrites, 'together'>;
  live: Pick<LiveCache, 'reading'>;
  /** A connection of its own. */
  daemon: Pick<DaemonPort, 'measurements_create'> & { close(): void };
  /** IANA name of the site's. */
  timeZone: () => string;
}

export interface Measurements {
  measurements: MeasurementService;
  analytics: AnalyticsService;
  measurementSettings: MeasurementSettingService;
  units: UnitService;
  /** Ends the reading worker and the connection. */
  stop: () => Promise<void>;
}

/** Joins what was measured with what the configuration says of it. */
export function composeMeasurements({ db, measurementsFile, ...shared }: ComposeOptions): Measurements {
  const reader = openMeasurementReader(measurementsFile);
  const rows = {
    inputs: new InputRepository(db),
    outputs: new OutputRepository(db),
    facilities: new FacilityRepository(db),
  };
  const units = new UnitService({
    ...{ rows: new UnitRepository(db), inputs: rows.inputs },
    ...{ transact: transactor(db), audit: shared.audit },
  });
  return {
    units,
    measurements: new MeasurementService({ ...shared, ...rows, reader, units, batches: new SampleBatches(shared) }),
    analytics: new AnalyticsService({ ...shared, ...rows, reader }),
    measurementSettings: new MeasurementSettingService({
      ...{ inputs: rows.inputs, rows: new MeasurementRetentionRepository(db) },
      ...{ transact: transactor(db), audit: shared.audit },
    }),
    stop: async () => {
      shared.daemon.close();
      await reader.close();
    },
  };
}

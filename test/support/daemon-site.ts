import { join } from 'node:path';
import type { Input, InputChannel } from '../../server/contract/input.ts';
import type { Output, OutputChannel } from '../../server/contract/output.ts';
import { controlMigrations } from '../../server/db/migrations/control.ts';
import { measurementsMigrations } from '../../server/db/migrations/measurements.ts';
import { orangeryMigrations } from '../../server/db/migrations/orangery.ts';
import { openDatabase, type Database } from '../../server/db/open.ts';
import { InputRepository } from '../../server/db/repositories/input.ts';
import { OutputRepository } from '../../server/db/repositories/output.ts';
import { testFolder } from './database.ts';

export const houseId = '00000000-0000-4000-8000-0000000000aa';
export const heaterId = '00000000-0000-4000-8000-000000000001';
export const ventId = '00000000-0000-4000-8000-000000000002';
export const indoorId = '00000000-0000-4000-8000-000000000003';
export const temperatureId = '00000000-0000-4000-8000-000000000004';

export function simulatedOutput(
  unique_id: string,
  part: 'heater' | 'side_vent',
  settings: Partial<OutputChannel> = {},
): Output {
  return {
    unique_id,
    name: part,
    driver: 'simulated',
    options: { house: houseId, part },
    channels: [
      {
        channel: 0,
        name: part,
        kind: part === 'heater' ? 'switch' : 'dimmer',
        safe_state: 'off',
        startup_state: 'safe',
        shutdown_state: 'safe',
        min_off_s: 0,
        max_on_s: null,
        current_a: null,
        flow_ml_s: null,
        pwm_cycle_s: null,
        pwm_min_on_s: 1,
        motor_close_channel: null,
        motor_travel_s: null,
        motor_slack_s: 0,
        ...settings,
      },
    ],
    is_activated: true,
  };
}

/** A thermometer's channel that accepts every number. */
export const plainChannel: InputChannel = {
  channel: 0,
  name: 'Temperature',
  measurement_id: temperatureId,
  measurement: 'temperature',
  unit: 'C',
  is_enabled: true,
  scale: null,
  raw_unit: null,
  plausible_min: null,
  plausible_max: null,
  max_rate_per_min: null,
  resolution: null,
};

const indoor: Input = {
  unique_id: indoorId,
  name: 'indoor climate',
  driver: 'simulated',
  options: { house: houseId, part: 'indoor' },
  period_s: 0.2,
  start_offset_s: 0,
  pre_output: null,
  power_output: null,
  channels: [plainChannel],
  is_activated: true,
};

/**
 * A migrated data directory of its own for the running test, with a simulated heater, a side vent and a thermometer.
 */
export function daemonSite(
  heater: Partial<OutputChannel> = {},
  folder = testFolder(),
  insert = (database: Database): void => insertHouse(database, heater),
): string {
  for (const [name, migrations] of Object.entries({
    control: controlMigrations,
    measurements: measurementsMigrations,
  })) {
    openDatabase(join(folder, `${name}.db`), { migrations }).close();
  }
  configure(folder, insert);
  return folder;
}

function insertHouse(database: Database, heater: Partial<OutputChannel>): void {
  new InputRepository(database).insert(indoor);
  const outputs = new OutputRepository(database);
  outputs.insert(simulatedOutput(heaterId, 'heater', heater));
  outputs.insert(simulatedOutput(ventId, 'side_vent'));
}

/** Changes the configuration as the server does. */
export function configure(folder: string, change: (database: Database) => void): void {
  const database = openDatabase(join(folder, 'orangery.db'), { migrations: orangeryMigrations });
  try {
    change(database);
  } finally {
    database.close();
  }
}

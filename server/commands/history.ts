import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { daemonObjectId } from '../contract/daemon.ts';
import type { Input } from '../contract/input.ts';
import type { LastValue } from '../contract/measurement.ts';
import { mostSamples } from '../contract/remote/measurement.ts';
import { unitConversion, type OwnUnit, type UnitConversion } from '../contract/units.ts';
import { orangeryMigrations } from '../db/migrations/orangery.ts';
import { openDatabase } from '../db/open.ts';
import { readSecretFile } from '../db/secret-file.ts';
import { InputRepository } from '../db/repositories/input.ts';
import { UnitRepository } from '../db/repositories/unit.ts';
import { influxSamples, type InfluxSource } from '../exchange/influx.ts';
import { readMycodoSeries, type MycodoSeries } from '../exchange/mycodo-series.ts';
import { DaemonControl } from '../orangery_client.ts';
import { Outbound } from '../outbound/outbound.ts';

interface Asked {
  /** The data directory. */
  directory: string;
  /** The settings database of Mycodo. */
  file: string;
  source: Omit<InfluxSource, 'outbound'>;
  daemonPort: number;
  /** Called with how many samples of a series are stored so far. */
  report: (name: string, stored: number) => void;
}

export interface HistoryReport {
  taken: { name: string; stored: number; refused: number }[];
  left_out: { name: string; why: string }[];
}

/** Where a series goes. */
interface Target {
  series: Pick<LastValue, 'device_id' | 'measurement_id' | 'channel' | 'unit'>;
  conversion: UnitConversion;
}

/** A call with many samples waits for the disk. */
const daemonTimeout_s = 60;

/** Words of Mycodo that are different here. */
const units: Readonly<Record<string, string>> = { percent: '%', lux: 'lx', m_s: 'm/s', W_m2: 'W/m2' };
const measurements: Readonly<Record<string, string>> = {
  carbon_dioxide: 'co2',
  electrical_conductivity: 'ec',
  ion_concentration: 'ph',
  speed: 'wind_speed',
  vapor_pressure_deficit: 'vapour_deficit',
  direction: 'wind_direction',
  volumetric_water_content: 'moisture',
};

/**
 * Imports what Mycodo measured into the series of the inputs with the same names here, through the running daemon. A
 * repetition stores the same moments again, so an import that broke off can simply be restarted. Throws the errors of
 * InfluxDB or the daemon.
 */
export async function importHistory(asked: Asked): Promise<HistoryReport> {
  const outbound = new Outbound({ allowLoopback: true }); // who says the address is at this machine
  const secret = readSecretFile(join(asked.directory, 'remote.loopback_secret'));
  const control = new DaemonControl({
    pyro_uri: `PYRO:${daemonObjectId}@127.0.0.1:${asked.daemonPort}`,
    pyro_timeout: daemonTimeout_s,
    ...(secret !== undefined && { pyro_handshake: secret }),
  });
  try {
    return await bring(asked, { outbound, control });
  } finally {
    control.close();
    await outbound.close();
  }
}

interface Ways {
  outbound: InfluxSource['outbound'];
  control: Pick<DaemonControl, 'measurements_create'>;
}

async function bring({ directory, file, source, report }: Asked, { outbound, control }: Ways): Promise<HistoryReport> {
  const done: HistoryReport = { taken: [], left_out: [] };
  const targetOf = targetsIn(directory);
  const measured = readMycodoSeries(file);
  if (measured.length === 0) throw new Error(`${file} holds no inputs of Mycodo or AoT`);
  for (const series of measured) {
    const name = `${series.name || 'input'}, ${series.measurement || `channel ${series.channel}`}`;
    const target = targetOf(series);
    if (typeof target === 'string') {
      done.left_out.push({ name, why: target });
      continue;
    }
    const counted = { name, stored: 0, refused: 0 };
    for await (const page of influxSamples({ ...source, outbound }, series)) {
      const samples = page.map((sample): LastValue => ({
        ...target.series,
        quality: 'good',
        time_ms: sample.time_ms,
        value: sample.value * target.conversion.factor + target.conversion.offset,
      }));
      for (let at = 0; at < samples.length; at += mostSamples) {
        const faults = await control.measurements_create(samples.slice(at, at + mostSamples));
        counted.refused += faults.filter((fault) => fault !== null).length;
        counted.stored += faults.filter((fault) => fault === null).length;
      }
      report(name, counted.stored);
    }
    if (counted.stored + counted.refused > 0) done.taken.push(counted);
    else done.left_out.push({ name, why: `InfluxDB has nothing of it in ${source.database}` });
  }
  return done;
}

/** Returns a function that finds where a series goes, or why it is left out. */
function targetsIn(directory: string): (series: MycodoSeries) => Target | string {
  const file = join(directory, 'orangery.db');
  if (!existsSync(file)) throw new Error(`there is no ${file} yet: start the service first`);
  const db = openDatabase(file, { migrations: orangeryMigrations, readonly: true });
  try {
    const inputs = Map.groupBy(new InputRepository(db).list(), ({ name }) => name);
    const own = new UnitRepository(db).list();
    return (series) => {
      const [input, another] = inputs.get(series.name) ?? [];
      if (input === undefined) return 'no input here has its name';
      if (another !== undefined) return 'several inputs here have its name';
      return targetIn(input, series, own);
    };
  } finally {
    db.close();
  }
}

function targetIn(input: Input, { measurement, unit }: MycodoSeries, own: readonly OwnUnit[]): Target | string {
  const measured = measurements[measurement] ?? measurement;
  const [found, another] = input.channels.filter((one) => one.measurement === measured);
  if (found === undefined) return `the input of its name measures no ${measured} here`;
  if (another !== undefined) return `the input of its name measures ${measured} on several channels`;
  const conversion = unitConversion(found.measurement, units[unit] ?? unit, own);
  if (conversion === undefined) return `its unit ${unit} is not known for ${measured}: add it to the units`;
  const { measurement_id, channel, unit: stored } = found;
  return { series: { device_id: input.unique_id, measurement_id, channel, unit: stored }, conversion };
}

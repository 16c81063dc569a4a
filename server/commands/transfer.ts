import { existsSync, readFileSync, statSync } from 'node:fs';
import {
  deviceFile,
  deviceFileEndpoints,
  deviceFileReport,
  type DeviceFile,
  type DeviceFileReport,
} from '../contract/device-file.ts';
import { parseOrRefuse } from '../contract/field-errors.ts';
import { parseJson } from '../contract/json-body.ts';
import {
  mostSiteFileBytes,
  siteFileEndpoints,
  siteFileReport,
  siteFileSent,
  type SiteFileReport,
  type SiteFileSent,
} from '../contract/site-file.ts';
import { readMycodo, type LeftOut } from '../exchange/mycodo.ts';
import { programVersion } from '../version.ts';
import { ask, type Service } from './service-call.ts';

/** A database of Mycodo holds more than is imported. */
const mostDatabaseBytes = 50_000_000;
const sqliteMark = 'SQLite format 3\0';

/** What `export` offers, and the call behind each. */
const exported = { devices: deviceFileEndpoints.read, site: siteFileEndpoints.read };
export type Exported = keyof typeof exported;

export async function exportFrom(service: Service, what: Exported): Promise<unknown> {
  const { method, path } = exported[what];
  return ask(service, { method, path });
}

/** The kind of a file, by its contents. */
export type Importable = { site: SiteFileSent } | { devices: DeviceFile; left_out: LeftOut[] };

export async function importDevices(
  service: Service,
  { devices, left_out }: Extract<Importable, { devices: DeviceFile }>,
  { isDry }: { isDry: boolean },
): Promise<{ report: DeviceFileReport; left_out: LeftOut[] }> {
  const { method, path } = deviceFileEndpoints.take;
  const answer = await ask(service, { method, path: `${path}?dry_run=${isDry}`, body: JSON.stringify(devices) });
  return { report: deviceFileReport.parse(answer), left_out };
}

export async function importSite(
  service: Service,
  { site }: Extract<Importable, { site: SiteFileSent }>,
  choices: { dry_run: boolean; copies: boolean; replace_settings: boolean },
): Promise<SiteFileReport> {
  const { method, path } = siteFileEndpoints.take;
  const query = Object.entries(choices)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return siteFileReport.parse(await ask(service, { method, path: `${path}?${query}`, body: JSON.stringify(site) }));
}

/** Reads a file of this program, or a settings database of Mycodo. Throws why it is neither. */
export function readImport(file: string): Importable {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  refuseLarger(file, mostDatabaseBytes);
  const bytes = readFileSync(file);
  if (bytes.subarray(0, sqliteMark.length).equals(Buffer.from(sqliteMark, 'latin1'))) return readDatabase(file);
  refuseLarger(file, mostSiteFileBytes, ': a larger site goes as a backup');
  const read = parseJson(bytes);
  if (typeof read === 'object' && read !== null && 'format' in read && read.format === 'orangery-site') {
    return { site: parseOrRefuse(siteFileSent, read) };
  }
  return { devices: parseOrRefuse(deviceFile, read), left_out: [] };
}

function readDatabase(file: string): Importable {
  const { entries, left_out } = readMycodo(file);
  const made_at = new Date().toISOString();
  const program_version = programVersion();
  return { devices: { format: 'orangery-devices', version: 1, made_at, program_version, entries }, left_out };
}

function refuseLarger(file: string, mostBytes: number, instead = ''): void {
  if (statSync(file).size <= mostBytes) return;
  throw new Error(`${file} is larger than ${(mostBytes / 1e6).toFixed(0)} MB${instead}`);
}

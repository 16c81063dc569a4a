import type { z } from 'zod';
import type { Actor } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { allKinds, kindOfWord, type ControllerWord } from '../../contract/controller-kinds.ts';
import type { DeviceFile, DeviceFileEntry, DeviceFileReport } from '../../contract/device-file.ts';
import { isRefusal } from '../../contract/errors.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';
import { ownMeasurementId } from '../../contract/measured.ts';
import { secretSet } from '../../contract/secret.ts';
import { isoOf } from '../../contract/time.ts';
import type { SettingsService } from './settings.ts';

interface DeviceFileOptions {
  keepers: ReadonlyMap<ControllerWord, SettingsService>;
  clock: Now;
  version: string;
}

/** What stands in for an id of the file: that of what was made of it. */
type Renamed = Map<string, string>;

interface Importing {
  actor: Actor;
  isDry: boolean;
  renamed: Renamed;
}

/** Channels that a controller may store of itself. */
const mostOwnChannels = 64;

/** Takes devices and what controls by them out of this service as one file, and into it. */
export class DeviceFileService {
  readonly #options: DeviceFileOptions;

  constructor(options: DeviceFileOptions) {
    this.#options = options;
  }

  read(): DeviceFile {
    const { clock, version } = this.#options;
    const entries = allKinds.flatMap(({ word }) =>
      (this.#options.keepers.get(word)?.list() ?? []).map((one) => ({
        kind: word,
        settings: { ...one },
      })),
    );
    const made_at = isoOf(clock());
    return { format: 'orangery-devices', version: 1, made_at, program_version: version, entries };
  }

  /** Makes what can be made, one after another; what is refused is in the report and ends nothing. */
  async take(actor: Actor, file: Pick<DeviceFile, 'entries'>, isDry: boolean): Promise<DeviceFileReport> {
    const report: DeviceFileReport = { is_dry_run: isDry, made: [], refused: [] };
    const importing: Importing = { actor, isDry, renamed: new Map() };
    for (const entry of inOrder(file.entries)) await this.#takeOne(entry, { report, importing });
    return report;
  }

  async #takeOne(
    { kind, settings }: DeviceFileEntry,
    { report, importing }: { report: DeviceFileReport; importing: Importing },
  ): Promise<void> {
    const named = { kind, name: settings.name, from_id: settings.unique_id };
    try {
      const { value, paths } = withoutSecrets(settings);
      const unique_id = await this.#make({ kind, settings: { ...value, ...settingsName(settings) } }, importing);
      report.made.push({ ...named, unique_id, without: paths });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const [first] = error.errors ?? [];
      const message = first === undefined ? error.message : `${first.path}: ${first.message}`;
      report.refused.push({ ...named, code: error.code, message: message.slice(0, 2_000) });
    }
  }

  /** Returns its own id; null in a dry run. Throws a Refusal. */
  async #make({ kind, settings }: DeviceFileEntry, { actor, isDry, renamed }: Importing): Promise<string | null> {
    const service = this.#options.keepers.get(kind);
    const schema = kindOfWord(kind).endpoints.create.body;
    if (service === undefined || schema === undefined) throw new TypeError(`nobody keeps the settings of a ${kind}`);
    const { unique_id, ...sent } = settings;
    const body = asSent({ ...(withIds(sent, renamed) as object), is_activated: false }, schema) as object;
    if (isDry) {
      if (!idsIn(sent).some((id) => renamed.has(id))) service.drafted(body);
      renamed.set(unique_id, unique_id);
      return null;
    }
    const made = await service.create(actor, body);
    rename(settings, made, renamed);
    return made.unique_id;
  }
}

const settingsName = ({ unique_id, name }: DeviceFileEntry['settings']) => ({ unique_id, name });

/** What is named before what names it. Where two name each other the file's order stays. */
function inOrder(entries: readonly DeviceFileEntry[]): DeviceFileEntry[] {
  const left = new Map(entries.map((entry) => [entry.settings.unique_id, entry]));
  const named = new Map(entries.map((entry) => [entry, othersNamed(entry, left)]));
  const ordered: DeviceFileEntry[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter((entry) => named.get(entry)?.some((id) => left.has(id)) !== true);
    for (const entry of free.length > 0 ? free : left.values()) {
      ordered.push(entry);
      left.delete(entry.settings.unique_id);
    }
  }
  return ordered;
}

function othersNamed({ settings }: DeviceFileEntry, others: ReadonlyMap<string, unknown>): string[] {
  const { unique_id, ...rest } = settings;
  return idsIn(rest).filter((id) => id !== unique_id && others.has(id));
}

/** Each once, in lower case. */
function idsIn(settings: object): string[] {
  const found = JSON.stringify(settings).toLowerCase().match(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g); // prettier-ignore
  return [...new Set(found)];
}

/** Notes the ids that were given to a thing and to what it measures. */
function rename(from: DeviceFileEntry['settings'], made: { unique_id: string }, renamed: Renamed): void {
  renamed.set(from.unique_id, made.unique_id);
  for (let channel = 0; channel < mostOwnChannels; channel += 1) {
    renamed.set(ownMeasurementId(from.unique_id, channel), ownMeasurementId(made.unique_id, channel));
  }
  const here = measuredChannels(made);
  for (const [channel, id] of measuredChannels(from)) {
    const own = here.get(channel);
    if (own !== undefined) renamed.set(id, own);
  }
}

/** Ids of what an input measures, by channel. */
function measuredChannels(settings: object): Map<number, string> {
  const channels = 'channels' in settings && Array.isArray(settings.channels) ? (settings.channels as unknown[]) : [];
  return new Map(
    channels.flatMap((one) =>
      isObject(one) && typeof one['channel'] === 'number' && typeof one['measurement_id'] === 'string'
        ? [[one['channel'], one['measurement_id']] as const]
        : [],
    ),
  );
}

function withIds(value: unknown, renamed: Renamed): unknown {
  if (typeof value === 'string') return renamed.get(value.toLowerCase()) ?? value;
  if (Array.isArray(value)) return value.map((one) => withIds(one, renamed));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withIds(one, renamed)]));
}

/** Answers hold more than what may be sent: what the schema of a new one does not know is left out. Throws a Refusal for the rest. */
function asSent(settings: object, schema: z.ZodType): unknown {
  const sent = structuredClone(settings) as Record<string, unknown>;
  for (const issue of schema.safeParse(sent).error?.issues ?? []) {
    if (issue.code !== 'unrecognized_keys') continue;
    const owner = issue.path.reduce<unknown>(
      (at, key) => (isObject(at) || Array.isArray(at) ? at[key as never] : at),
      sent,
    );
    if (isObject(owner)) for (const key of issue.keys) delete owner[key];
  }
  return parseOrRefuse(schema, sent);
}

/** A secret is shown as set only, and cannot be sent so. */
function withoutSecrets(settings: object): { value: Record<string, unknown>; paths: string[] } {
  const paths: string[] = [];
  const pruned = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((one, at) => pruned(one, `${path}.${at}`));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) => {
        const at = path === '' ? key : `${path}.${key}`;
        if (!secretSet.safeParse(one).success) return [[key, pruned(one, at)]];
        paths.push(at);
        return [];
      }),
    );
  };
  return { value: pruned(settings, '') as Record<string, unknown>, paths };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

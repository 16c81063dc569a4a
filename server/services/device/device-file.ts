import { z } from 'zod';
import type { Actor } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { allKinds, kindOfWord, type ControllerWord } from '../../contract/controller-kinds.ts';
import type { DeviceFile, DeviceFileEntry, DeviceFileReport } from '../../contract/device-file.ts';
import { isRefusal, reasonFields, type ReasonFields, type Refusal } from '../../contract/errors.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';
import { isoOf } from '../../contract/time.ts';
import {
  idsIn,
  inOrder,
  isObject,
  measuredChannels,
  noteIds,
  withIds,
  withoutSecrets,
  type Renamed,
} from './moved-ids.ts';
import type { SettingsService } from './settings.ts';

interface DeviceFileOptions {
  keepers: ReadonlyMap<ControllerWord, SettingsService>;
  clock: Now;
  version: string;
}

export interface Moving {
  actor: Actor;
  isDry: boolean;
  renamed: Renamed;
  /** The id for the copy of an entry with this id; a new one when undefined. */
  idFor?: (id: string) => string | undefined;
}

interface Moved {
  /** null in a dry run. */
  unique_id: string | null;
  /** Paths of secrets that must be entered again. */
  without: string[];
}

/** Exports devices and controllers of this service as one file, and imports them. */
export class DeviceFileService {
  readonly #options: DeviceFileOptions;

  constructor(options: DeviceFileOptions) {
    this.#options = options;
  }

  read(): DeviceFile {
    const { clock, version } = this.#options;
    const made_at = isoOf(clock());
    return {
      format: 'orangery-devices',
      version: 1,
      made_at,
      program_version: version,
      entries: this.entries(),
    };
  }

  entries(): DeviceFileEntry[] {
    return allKinds.flatMap(({ word }) =>
      (this.#options.keepers.get(word)?.list() ?? []).map((one) => ({ kind: word, settings: { ...one } })),
    );
  }

  /** The existing settings of a kind under an id; undefined when there are none. */
  find(kind: ControllerWord, id: string): object | undefined {
    try {
      return this.#options.keepers.get(kind)?.get(id);
    } catch (error) {
      if (isRefusal(error) && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** Creates what it can, one after another; a refused entry is in the report and stops nothing. */
  async take(actor: Actor, file: Pick<DeviceFile, 'entries'>, isDry: boolean): Promise<DeviceFileReport> {
    const report: DeviceFileReport = { is_dry_run: isDry, made: [], refused: [] };
    const moving: Moving = { actor, isDry, renamed: new Map() };
    for (const entry of inOrder(file.entries, { provides: idOf, mentions: mentionsOf })) {
      const { kind, settings } = entry;
      const named = { kind, name: settings.name, from_id: settings.unique_id };
      try {
        report.made.push({ ...named, ...(await this.make(entry, moving)) });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        report.refused.push({ ...named, ...refusedAs(error) });
      }
    }
    return report;
  }

  /** Creates one, deactivated. Throws a Refusal. */
  async make({ kind, settings }: DeviceFileEntry, { actor, isDry, renamed, idFor }: Moving): Promise<Moved> {
    const service = this.#options.keepers.get(kind);
    const schema = kindOfWord(kind).endpoints.create.body;
    if (service === undefined || schema === undefined)
      throw new TypeError(`there is no service for the settings of a ${kind}`);
    const { value, paths: without } = withoutSecrets(settings);
    const { unique_id, ...sent } = { ...value, unique_id: settings.unique_id };
    const body = asSent({ ...(withIds(sent, renamed) as object), is_activated: false }, schema) as object;
    if (isDry) {
      if (!idsIn(sent).some((id) => renamed.has(id))) service.drafted(body);
      renamed.set(unique_id, unique_id);
      return { unique_id: null, without };
    }
    const given = idFor?.(unique_id);
    const as = given === undefined ? undefined : { unique_id: given, measurement_ids: measuredChannels(settings) };
    const made = await service.create(actor, body, as);
    noteIds(settings, made, renamed);
    return { unique_id: made.unique_id, without };
  }
}

const idOf = ({ settings }: DeviceFileEntry): string[] => [settings.unique_id];

function mentionsOf({ settings: { unique_id: _, ...rest } }: DeviceFileEntry): string[] {
  return idsIn(rest);
}

/** Why an entry was refused, by the first field concerned. */
export function refusedAs({
  code,
  message,
  errors,
  members,
}: Refusal): Pick<DeviceFileReport['refused'][number], 'code' | 'message'> & ReasonFields {
  const [first] = errors ?? [];
  const said = (first === undefined ? message : `${first.path}: ${first.message}`).slice(0, 2_000);
  return { code, message: said, ...z.object(reasonFields).safeParse(first ?? members).data };
}

/**
 * Answers hold more than may be sent: fields unknown to the schema of a new one are left out. Throws a Refusal for
 * other faults.
 */
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

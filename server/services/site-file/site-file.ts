import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { isRefusal, Refusal } from '../../contract/errors.ts';
import {
  siteFile,
  type SiteEntryKind,
  type SiteFile,
  type SiteFileChoices,
  type SiteFileReport,
  type SiteFileSent,
} from '../../contract/site-file.ts';
import { isoOf } from '../../contract/time.ts';
import { refusedAs, type DeviceFileService } from '../device/device-file.ts';
import { inOrder, isObject } from '../device/moved-ids.ts';
import type { FacilityService } from '../facility/facility.ts';
import type { DesignService } from '../map/design.ts';
import type { UnitService } from '../measurement/unit.ts';
import type { NotificationTargetService } from '../notification/target.ts';
import type { SettingService } from '../setting/setting.ts';
import type { SiteEntry, SitePart, Taking } from './part.ts';
import { takeSettings } from './settings-part.ts';

interface SiteFileOptions {
  settings: Pick<SettingService, 'get' | 'defaults' | 'save'>;
  units: Pick<UnitService, 'list'>;
  notificationTargets: Pick<NotificationTargetService, 'list'>;
  deviceFile: Pick<DeviceFileService, 'entries'>;
  designs: Pick<DesignService, 'list' | 'get'>;
  facilities: Pick<FacilityService, 'list'>;
  parts: Record<SiteEntryKind, SitePart>;
  audit: AuditSink;
  clock: Now;
  version: string;
}

/**
 * Fields that change by themselves, belong to this machine, or never come with a file: entries that differ only in
 * these are the same.
 */
const passing = new Set(['revision', 'created_at', 'updated_at', 'is_activated', 'is_enabled', 'secret', 'made_at']);

/** Of a map or house with a number, in characters: 200 at most. */
const longestName = 190;

/** Exports the whole configuration of a site as one file, and imports it. */
export class SiteFileService {
  readonly #options: SiteFileOptions;

  constructor(options: SiteFileOptions) {
    this.#options = options;
  }

  /** JSON: maps are inserted as stored, without parsing. */
  async read(actor: Actor): Promise<string> {
    const { settings, units, notificationTargets, deviceFile, designs, facilities, clock, version, audit } =
      this.#options;
    const maps: string[] = [];
    for (const { map_uuid } of designs.list({ trash: false })) maps.push((await designs.get(map_uuid)).toString());
    const whole = {
      format: 'orangery-site',
      version: 1,
      made_at: isoOf(clock()),
      program_version: version,
      settings: settings.get(),
      units: units.list().units,
      notification_targets: notificationTargets.list().map(({ waiting: _w, last_result: _r, ...target }) => target),
      devices: deviceFile.entries(),
      facilities: facilities.list({}),
    } satisfies Omit<SiteFile, 'maps'>;
    audit.record({ kind: 'site_file.read', actor });
    return `${JSON.stringify(whole).slice(0, -1)},"maps":[${maps.join(',')}]}`;
  }

  /** The JSON Schema of a file. */
  schema(): { $schema: string } {
    const { $schema = '', ...schema } = z.toJSONSchema(siteFile, { io: 'input' });
    return { $schema, ...schema };
  }

  /** Creates what it can, one after another; a refused entry is in the report and stops nothing. */
  async take(actor: Actor, file: SiteFileSent, choices: SiteFileChoices): Promise<SiteFileReport> {
    const { dry_run: isDry = false, copies = false, replace_settings: isReplacing = false } = choices;
    const report: SiteFileReport = { is_dry_run: isDry, made: [], kept: [], refused: [], settings: [] };
    const { parts, settings, audit } = this.#options;
    const taking: Taking = { actor, isDry, renamed: new Map(), idFor: (id) => (copies ? undefined : id) };
    const entries = inOrder(copies ? this.#namedApart(entriesOf(file)) : entriesOf(file), {
      provides: (entry) => parts[entry.kind].provides(entry),
      mentions: (entry) => parts[entry.kind].mentions(entry),
    });
    try {
      for (const entry of entries) await this.#takeOne(entry, { report, taking, copies });
      const asked = { actor, isDry, renamed: taking.renamed, isReplacing };
      report.settings = takeSettings(file.settings ?? {}, settings, asked);
      return report;
    } finally {
      if (!isDry) audit.record({ kind: 'site_file.take', actor, after: countsOf(report) });
    }
  }

  /** Maps and houses by names that none has here: by these people tell copies apart, and what belongs to them. */
  #namedApart(entries: readonly SiteEntry[]): SiteEntry[] {
    const { designs, facilities } = this.#options;
    const taken: { readonly [Kind in SiteEntryKind]?: Set<string> } = {
      map: new Set(designs.list({ trash: false }).map(({ name }) => name)),
      facility: new Set(facilities.list({}).map(({ name }) => name)),
    };
    return entries.map((entry) => {
      const names = taken[entry.kind];
      if (names === undefined) return entry;
      const name = freeName(entry.name, names);
      names.add(name);
      return { ...entry, name, content: { ...entry.content, name } };
    });
  }

  async #takeOne(
    entry: SiteEntry,
    { report, taking, copies }: { report: SiteFileReport; taking: Taking; copies: boolean },
  ): Promise<void> {
    const { kind, name, id: from_id, content } = entry;
    const part = this.#options.parts[kind];
    const named = { kind, name, from_id };
    try {
      const here = copies ? undefined : await part.present(from_id);
      if (here === 'in_trash')
        throw new Refusal('in_trash', 'it lies in the trash here: restore it there, or take a copy');
      if (here !== undefined) {
        report.kept.push({ ...named, is_same: isDeepStrictEqual(lasting(here), lasting(content)) });
        return;
      }
      const was_activated = content['is_activated'] === true || content['is_enabled'] === true;
      report.made.push({ ...named, was_activated, ...(await part.take(entry, taking)) });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      report.refused.push({ ...named, ...refusedAs(error) });
    }
  }
}

function entriesOf({
  units = [],
  notification_targets = [],
  devices = [],
  maps = [],
  facilities = [],
}: SiteFileSent): SiteEntry[] {
  return [
    ...units.map((content) => ({
      kind: 'unit' as const,
      name: String(content['unit']).slice(0, 200),
      id: content.unique_id,
      content,
    })),
    ...notification_targets.map((content) => ({
      kind: 'notification_target' as const,
      name: content.name,
      id: content.unique_id,
      content,
    })),
    ...devices.map(({ kind, settings }) => ({ kind, name: settings.name, id: settings.unique_id, content: settings })),
    ...maps.map((content) => ({ kind: 'map' as const, name: content.name, id: content.map_uuid, content })),
    ...facilities.map((content) => ({ kind: 'facility' as const, name: content.name, id: content.unique_id, content })),
  ];
}

/**
 * The name, else with the first number from 2 by which nothing is called yet. A copy of a copy has one number too, and
 * "Tomato (2024)" keeps its year, unless "Tomato" is taken too.
 */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const original = name.replace(/ \(\d+\)$/, '');
  // The cut may leave half of a character.
  const first = (taken.has(original) ? original : name).slice(0, longestName).replace(/\p{Surrogate}$/u, '');
  for (let number = 2, free = name; ; number += 1) {
    if (!taken.has(free)) return free;
    free = `${first} (${number})`;
  }
}

function lasting(content: object): Record<string, unknown> {
  const kept = Object.entries(content).filter(([key, value]) => value !== undefined && !passing.has(key));
  // The features of a map's collection have such members too.
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'features' && isObject(value) ? lasting(value) : value]),
  );
}

function countsOf({ made, kept, refused, settings }: SiteFileReport): Record<string, number> {
  const taken = settings.filter(({ outcome }) => outcome === 'taken');
  return { made: made.length, kept: kept.length, refused: refused.length, settings: taken.length };
}

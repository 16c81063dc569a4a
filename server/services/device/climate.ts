import { z } from 'zod';
import type { Actor } from '../../auth/actor.ts';
import { climateKind, type climateEndpoints } from '../../contract/climate.ts';
import { climateLive, type ClimateLive, type ClimatePreview } from '../../contract/climate-live.ts';
import type { ClimatePreset } from '../../contract/climate-preset.ts';
import { climateSettings, type Climate } from '../../contract/climate-settings.ts';
import { differences, type Difference, type Json } from '../../contract/differences.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoint.ts';
import { Refusal, refuseFault, refusePlainly } from '../../contract/errors.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';
import type { ClimateChange } from '../../contract/climate-history.ts';
import { epochOf } from '../../contract/time.ts';
import type { AuditRepository } from '../../db/repositories/audit.ts';
import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import type { ForecastWeather } from '../../domain/climate-program/foreseen.ts';
import { climatePresets } from '../../domain/climate-program/presets.ts';
import { climatePreviewOf } from '../../domain/climate-program/preview.ts';
import type { Place } from '../../domain/solar/sun-day.ts';
import type { LiveCache } from '../live/live.ts';
import { climateFault } from './climate-judge.ts';
import type { SettingsService } from './settings.ts';
import { refuseOlder } from './stored-settings.ts';

type Save = BodyOf<typeof climateEndpoints.save>;

type PreviewSpan = QueryOf<typeof climateEndpoints.preview>;

/** What a change names. */
type Changed = { [Field in keyof Save]?: Save[Field] | undefined };

interface ClimateServiceOptions {
  kinds: ControllerStores;
  facilities: Pick<FacilityRepository, 'get'>;
  /** Stores the programs. */
  settings: SettingsService | undefined;
  live: Pick<LiveCache, 'control'>;
  /** The audit holds the changes of programs. */
  auditRecords: Pick<AuditRepository, 'list'>;
  place: () => Place;
  /** Of the site; null without one. */
  forecast: { read(): Promise<ForecastWeather | null> };
  now: () => number;
}

const json = z.json();
/** In a record of any age. */
const recordedPeriods = z.looseObject({ periods: z.array(z.looseObject({ name: z.string() })) });
const usual_h = 24;
/** The furthest that a preview begins from now. */
const furthestMs = 3 * 86_400_000;
/** What the fields of a period mean where they are absent. */
const whenAbsent: Readonly<Record<string, Json>> = {
  offset_min: 0,
  screen_allowed: true,
  lamps_allowed: true,
  irrigation_allowed: true,
};

/** A field that was absent and is now what it meant is no change. */
function isChange({ path, before, after }: Difference): boolean {
  const absent = whenAbsent[path.split('.').at(-1) ?? ''] ?? null;
  return (before ?? absent) !== (after ?? absent);
}

/** Changes shown, and records read for them: those that changed nothing are not shown. */
const mostChanges = 50;
const mostRecords = 4 * mostChanges;

/** The climate programs, one for each house and addressed by it. */
export class ClimateService {
  readonly #options: ClimateServiceOptions;

  constructor(options: ClimateServiceOptions) {
    this.#options = options;
  }

  /** Throws `not_found` for an unknown house or one without a program. */
  ofHouse(facilityId: string): Climate {
    this.#house(facilityId);
    const found = this.#find(facilityId);
    if (found === undefined) throw new Refusal('not_found', 'this facility has no climate program');
    return found;
  }

  /** Creates it, or changes what is named. Throws `revision_conflict`, and as the settings of controllers do. */
  async save(actor: Actor, facilityId: string, body: Save): Promise<{ program: Climate; isMade: boolean }> {
    const { name } = this.#house(facilityId);
    const known = this.#find(facilityId);
    const { revision, ...sent } = body;
    if (known === undefined) refuseOlder(revision, undefined, () => undefined);
    const settings = this.#settings();
    const stored =
      known === undefined
        ? await settings.create(actor, { name, ...sent, facility_uuid: facilityId })
        : await settings.change(actor, known.unique_id, body);
    return { program: climateSettings.parse(stored), isMade: known === undefined };
  }

  /** Returns its id. Throws `not_found`. */
  async clear(actor: Actor, facilityId: string): Promise<string> {
    const { unique_id } = this.ofHouse(facilityId);
    await this.#settings().remove(actor, unique_id);
    return unique_id;
  }

  /**
   * For a program that does not run, or of which the daemon has reported nothing, every value is unknown. Throws
   * `not_found`.
   */
  live(facilityId: string): ClimateLive {
    const { unique_id: climate_id, facility_uuid, is_activated } = this.ofHouse(facilityId);
    const known = is_activated ? climateLive.safeParse(this.#options.live.control(climate_id)).data : undefined;
    const nothing = { at: null, period: null, setpoints: null, loops: [], fallbacks: [], sums: null, actuators: [] };
    return known ?? { climate_id, facility_uuid, ...nothing };
  }

  /** Programs by crop. */
  presets(): ClimatePreset[] {
    return [...climatePresets];
  }

  /** The changes of the program, newest first. Throws `not_found`. */
  history(facilityId: string): ClimateChange[] {
    const { unique_id } = this.ofHouse(facilityId);
    const changes = this.#changesOf(unique_id).flatMap(({ id, at, username, before, after }) => {
      const [was, is] = [recorded(before), recorded(after)];
      const fields = differences(was, is).filter((one) => one.path !== 'revision' && isChange(one));
      return fields.length === 0 ? [] : [{ id, at, username, fields, periods: periodNames(was, is) }];
    });
    return changes.slice(0, mostChanges);
  }

  /**
   * Returns the program to its state before a change. Throws `not_found`, `revision_conflict` where it is not the one
   * that is named, and as the settings of controllers do.
   */
  async undo(
    actor: Actor,
    facilityId: string,
    { id, revision }: BodyOf<typeof climateEndpoints.undo>,
  ): Promise<Climate> {
    const { unique_id } = this.ofHouse(facilityId);
    const change = this.#changesOf(unique_id).find((one) => one.id === id);
    if (change === undefined) throw new Refusal('not_found', 'no such change of this program');
    const before = storedProgram(change.before);
    const {
      unique_id: _id,
      facility_uuid: _house,
      revision: _revision,
      is_activated: _on,
      overrides,
      ...program
    } = before;
    // A hold that is given meanwhile goes on; the undo of a hold changes nothing but holds.
    const isOfHolds = JSON.stringify(overrides) !== JSON.stringify(storedProgram(change.after).overrides);
    const undone = { ...(isOfHolds ? { overrides } : program), ...(revision !== undefined && { revision }) };
    return climateSettings.parse(await this.#settings().change(actor, unique_id, undone));
  }

  #changesOf(programId: string) {
    return this.#options.auditRecords.list({ kind: 'climate.change', target: programId, limit: mostRecords });
  }

  /** Rejects with `not_found`, `invalid_field`. */
  async preview(facilityId: string, span: PreviewSpan = {}): Promise<ClimatePreview> {
    return this.#previewOf(this.ofHouse(facilityId), span);
  }

  /**
   * The preview after a change; for a house without a program, of the one that the change would create. Rejects with
   * `not_found`, `invalid_field`.
   */
  async previewChanged(facilityId: string, body: Changed, span: PreviewSpan = {}): Promise<ClimatePreview> {
    return this.#previewOf(this.asChanged(facilityId, body), span);
  }

  /** The program that a change would yield; saves nothing. Throws `not_found`, `invalid_field`. */
  asChanged(facilityId: string, body: Omit<Changed, 'revision'>): Climate {
    const { name } = this.#house(facilityId);
    const { kinds, facilities, place, now } = this.#options;
    const { stored } = climateKind;
    const known = this.#find(facilityId);
    const fresh = { ...stored?.defaults, name, unique_id: facilityId, facility_uuid: facilityId };
    const asked = known === undefined ? { ...fresh, ...body } : (stored?.merged?.(body, known) ?? body);
    const program = parseOrRefuse(climateSettings, stored?.settled?.(asked) ?? asked);
    const [own] = stored?.faults(program) ?? [];
    const fault =
      own ?? climateFault(program, { kinds, facilities, place: place(), year: new Date(now()).getUTCFullYear() });
    if (fault !== undefined) throw refuseFault(fault);
    return program;
  }

  async #previewOf(program: Climate, { from, hours = usual_h }: PreviewSpan): Promise<ClimatePreview> {
    const { place, now, live } = this.#options;
    const nowMs = Math.floor(now() / 60_000) * 60_000;
    const fromMs = from === undefined ? nowMs : epochOf(from);
    if (Math.abs(fromMs - nowMs) > furthestMs)
      throw refusePlainly('invalid_field', 'from', 'must lie within three days of now');
    const known = climateLive.safeParse(live.control(program.unique_id)).data?.setpoints ?? {};
    // Nothing but influences goes by the weather.
    const forecast = program.influences.length === 0 ? null : await this.#options.forecast.read();
    return climatePreviewOf({ program, place: place(), from_ms: fromMs, hours, now_ms: nowMs, live: known, forecast });
  }

  #find(facilityId: string): Climate | undefined {
    return this.#options.kinds.climate.list().find(({ facility_uuid }) => facility_uuid === facilityId);
  }

  #house(facilityId: string): { name: string } {
    const stored = this.#options.facilities.get(facilityId);
    if (stored?.deleted_at !== null) throw new Refusal('not_found', 'no such facility');
    return stored.facility;
  }

  #settings(): SettingsService {
    const { settings } = this.#options;
    if (settings === undefined) throw new Error('there is no service of climate programs');
    return settings;
  }
}

/** A program as the audit keeps it. */
function storedProgram(settings: string | null): Climate {
  return climateSettings.parse(climateKind.stored?.settled?.(JSON.parse(settings ?? '{}') as object));
}

function recorded(settings: string | null): Json {
  return json.parse(JSON.parse(settings ?? '{}'));
}

/** The names by place: of the period after the change, else of the one before it. */
function periodNames(was: Json, is: Json): string[] {
  const namesOf = (program: Json): string[] =>
    recordedPeriods.safeParse(program).data?.periods.map(({ name }) => name) ?? [];
  const names = namesOf(is);
  return [...names, ...namesOf(was).slice(names.length)];
}

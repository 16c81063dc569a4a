import type { Now } from '../../auth/now.ts';
import { drivenRoles } from '../../contract/climate.ts';
import type { Rehearsal, RehearsalRequest } from '../../contract/climate-rehearsal.ts';
import type { StandingCrop } from '../../contract/standing-crop.ts';
import { climateFaultAt } from '../../contract/climate-fault.ts';
import { Refusal, refuseFault, refusePlainly } from '../../contract/errors.ts';
import { conditionDefaults, type ConditionName } from '../../contract/envelope.ts';
import type { Facility } from '../../contract/facility.ts';
import type { ActuatorRole } from '../../contract/facility-binding.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import type { SiteContext } from '../../domain/capacity/design.ts';
import { azimuthOf, floorOf_m2, valveOf } from '../../domain/climate-program/house.ts';
import type { Recorded } from '../../domain/rehearsal/calibrate.ts';
import { midnightsOf } from '../../domain/rehearsal/days.ts';
import { crops } from '../../domain/simulation/house-model.ts';
import type { Place } from '../../domain/solar/sun-day.ts';
import type { MeasurementReader } from '../../measurement/reader.ts';
import { cancelFlag } from '../../worker/cancelling.ts';
import { WorkerClient } from '../../worker/client.ts';
import { workerEntry } from '../../worker-entry.ts';
import type { ClimateService } from '../device/climate.ts';
import { findChannel } from '../device/output-command.ts';
import type { FacilityCapacity } from './capacity.ts';
import { housePast, pastRoles, type PastActuator } from './house-past.ts';
import type { DaysDone, RehearsalTask, RehearsalTasks } from './rehearsal-tasks.ts';
import { quarter_s, quarterReader } from './stored-quarters.ts';

/** Two programs over a year take a minute or two on a small machine. */
const timeoutMs = 900_000;
const reportMs = 300;

interface RehearsalOptions {
  climates: Pick<ClimateService, 'ofHouse' | 'asChanged'>;
  facilities: Pick<FacilityRepository, 'get'>;
  outputs: Pick<OutputRepository, 'get'>;
  capacity: Pick<FacilityCapacity, 'contextOf'>;
  /** For the house's own measurements. */
  reader: Pick<MeasurementReader, 'means' | 'states'>;
  place: () => Place;
  clock: Now;
  dataDirectory: string;
}

/** Rehearses a house's climate program, and a changed one beside it, in a thread. */
export class ClimateRehearsal {
  readonly #options: RehearsalOptions;
  readonly #worker: WorkerClient<string, RehearsalTasks>;

  constructor(options: RehearsalOptions) {
    this.#options = options;
    this.#worker = new WorkerClient({
      entry: workerEntry('rehearsal-worker', import.meta.url),
      data: options.dataDirectory,
      timeoutMs,
    });
  }

  /** Returns the total number of days, as a job counts them, and the work. Throws `not_found`, `invalid_field`. */
  begin(facilityId: string, { changed: asked, from, days, crop = 'full', weather, weather_file }: RehearsalRequest) {
    const { climates, facilities, capacity, place: placeNow } = this.#options;
    const present = climates.ofHouse(facilityId);
    const changed = asked === undefined ? null : climates.asChanged(facilityId, asked);
    const facility = facilities.get(facilityId)?.facility;
    if (facility === undefined) throw new Error('a house with a climate program is there');
    const place = placeNow();
    const midnights_ms = midnightsOf(from, days, place.time_zone);
    const end_ms = midnights_ms.at(-1) ?? NaN;
    const isStored = weather === 'stored';
    if (isStored) this.#refuseUnstored(facility, { end_ms, weather_file });
    const site = capacity.contextOf(facility);
    const task = {
      facility,
      site,
      place,
      present,
      changed,
      midnights_ms,
      crop,
      weather_file: weather_file ?? null,
      prices: pricesOf(facility, site),
      actuators: this.#actuatorsOf(facility, [present, ...(changed === null ? [] : [changed])].flatMap(drivenRoles)),
    };
    return {
      total: days * (changed === null ? 1 : 2),
      run: async (report: (done: number) => void, signal: AbortSignal): Promise<Rehearsal> => {
        const to_ms = isStored ? Math.min(this.#options.clock(), end_ms) : this.#options.clock();
        const past = await this.#pastOf(facility, { crop, to_ms }, signal);
        const stored = isStored ? await this.#storedOf(facility, midnights_ms, signal) : null;
        const done: DaysDone = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
        const timer = setInterval(() => report(Atomics.load(done, 0)), reportMs);
        try {
          return {
            from,
            days,
            crop,
            ...(await this.#worker.run('rehearse', { ...task, past, stored }, { flag: cancelFlag(signal), done })),
          };
        } finally {
          clearInterval(timer);
        }
      },
    };
  }

  close(): Promise<void> {
    return this.#worker.end();
  }

  /** Throws `invalid_field` for future days, a year as well as days, or a house that does not measure them. */
  #refuseUnstored(
    { sensors }: Facility,
    { end_ms, weather_file }: { end_ms: number; weather_file: string | undefined },
  ): void {
    if (weather_file !== undefined) throw refusePlainly('invalid_field', 'weather_file', 'goes with a year alone');
    const missing = (['outdoor_temp', 'outdoor_solar'] as const).find(
      (one) => !sensors.some(({ role }) => role === one),
    );
    if (missing !== undefined) throw refuseFault(climateFaultAt('weather', 'no_sensor', { role: missing }));
    if (end_ms > this.#options.clock()) throw refuseFault(climateFaultAt('days', 'not_stored_yet'));
  }

  /** Rejects with `not_available` when measurements cannot be read now. */
  async #storedOf(
    facility: Facility,
    midnights_ms: readonly number[],
    signal: AbortSignal,
  ): Promise<RehearsalTask['stored']> {
    const [from_ms = NaN, end_ms = NaN] = [midnights_ms[0], midnights_ms.at(-1)];
    const count = Math.ceil((end_ms - from_ms) / 1000 / quarter_s);
    const read = quarterReader(this.#options.reader, { facility, from_ms, count }, signal);
    const [temp_c, radiation_w_m2] = [await read('outdoor_temp'), await read('outdoor_solar')];
    if (temp_c === null || radiation_w_m2 === null) throw refuseFault(climateFaultAt('from', 'none_stored'));
    const humidity_pct = await read('outdoor_humidity');
    const [wind_m_s, wind_dir_deg] = [await read('outdoor_wind'), await read('outdoor_wind_dir')];
    const outside = { temp_c, radiation_w_m2, humidity_pct, wind_m_s, wind_dir_deg };
    return { midnights_ms, step_s: quarter_s, ...outside, indoor_c: await read('indoor_temp') };
  }

  async #pastOf(
    facility: Facility,
    { crop, to_ms }: { crop: StandingCrop; to_ms: number },
    signal: AbortSignal,
  ): Promise<Recorded | null> {
    const { reader } = this.#options;
    const asked = { facility, actuators: this.#actuatorsOf(facility, pastRoles), to_ms };
    try {
      const past = await housePast(reader, asked, signal);
      return past && { ...past, dry_matter_kg_m2: crops[crop] };
    } catch (error) {
      // Unreadable measurements must not prevent the rehearsal.
      if (error instanceof Refusal && error.code === 'not_available') return null;
      throw error;
    }
  }

  #actuatorsOf(facility: Facility, wanted: readonly ActuatorRole[]): PastActuator[] {
    const roles = new Set(wanted);
    const valves = facility.actuators.filter(({ role }) => role === 'irrigation_valve').length;
    return facility.actuators.flatMap((binding, index): PastActuator[] => {
      const { role, device_id, channel } = binding;
      const output = this.#options.outputs.get(device_id);
      const driven = output && findChannel(output, channel);
      if (driven === undefined || !roles.has(role)) return [];
      const { kind } = driven;
      const valve = role === 'irrigation_valve' && { valve: valveOf(binding, floorOf_m2(facility) / valves) };
      const azimuth_deg = azimuthOf(binding, facility.view_3d.orientation_deg);
      const { rating_kw } = binding;
      const run_time_s = driven.motor_travel_s ?? binding.run_time_s;
      const rated = { ...(rating_kw !== undefined && { rating_kw }), ...(run_time_s !== undefined && { run_time_s }) };
      const output_id = device_id;
      return [{ key: `${index}`, role, kind, azimuth_deg, output_id, channel: driven.channel, ...valve, ...rated }];
    });
  }
}

/** From the house's conditions, else the site's, else the defaults. */
function pricesOf(
  { design_conditions: own }: Facility,
  { design_conditions: ofSite }: SiteContext,
): RehearsalTask['prices'] {
  const valueOf = (name: ConditionName): number | null => own?.[name] ?? ofSite?.[name] ?? conditionDefaults[name];
  const per = (price: number | null, amount: number | null): number | null =>
    price === null || amount === null ? null : price / amount;
  const boilerShare = (valueOf('boiler_efficiency_pct') ?? 100) / 100;
  const lamp_mol_kwh = (valueOf('lamp_efficacy_umol_j') ?? NaN) * 3.6;
  const fuel_kwh = valueOf('fuel_kwh_per_unit');
  return {
    heat_kwh: per(valueOf('fuel_price'), fuel_kwh === null ? null : fuel_kwh * boilerShare),
    light_mol: per(valueOf('electricity_price'), lamp_mol_kwh),
    co2_kg: valueOf('co2_price_kg'),
    water_m3: valueOf('water_price_m3'),
  };
}

import { climatePeriod_s, drivenRoles } from '../../../contract/climate.ts';
import { aimChannels, climateAims, climateStored_s } from '../../../contract/climate-aims.ts';
import type { AlarmCondition } from '../../../contract/alarm.ts';
import type { ClimateLive } from '../../../contract/climate-live.ts';
import type { Climate } from '../../../contract/climate-settings.ts';
import type { ControllerStatus } from '../../../contract/daemon.ts';
import { messageOf } from '../../../contract/message-of.ts';
import { aimsOf } from '../../../domain/climate-program/aims.ts';
import { dayPlan, type DayPlan } from '../../../domain/climate-program/day-plan.ts';
import type { ClimateReadings } from '../../../domain/climate-program/moment.ts';
import { climateStep, type ClimateStep } from '../../../domain/climate-program/program.ts';
import { freshState, type ClimateState } from '../../../domain/climate-program/state.ts';
import { climateReason } from '../../../contract/reason.ts';
import { explained } from '../../../domain/control/reason-text.ts';
import type { Place } from '../../../domain/solar/sun-day.ts';
import type { Alarms } from '../../alarms/alarms.ts';
import type { Watchdog, Watched } from '../../alarms/watchdog.ts';
import { within, type Clock } from '../../clock.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { LiveValues } from '../../events/live-values.ts';
import { Grid, spreadMs } from '../../grid.ts';
import type { Outputs } from '../output/outputs.ts';
import { OwnSeries, type OwnSeriesHost } from '../own-series.ts';
import type { ActingController } from '../running-controllers.ts';
import { lostRoleOf, missingConditions } from './climate-alarms.ts';
import { ClimateDrive } from './climate-drive.ts';
import { ClimateHouses, type BoundHouse } from './climate-house.ts';
import { readingsOf } from './climate-senses.ts';

const climatePeriodMs = 1_000 * climatePeriod_s;
/** Silence beyond the period after which it counts as stalled, s. */
const stalled_s = 60;

export interface ClimateHost {
  clock: Clock;
  live: Pick<LiveValues, 'last'> & OwnSeriesHost['live'];
  writer: OwnSeriesHost['writer'];
  outputs: Outputs;
  alarms: Pick<Alarms, 'report'>;
  watchdog: Pick<Watchdog, 'watch'>;
  configuration: Pick<Configuration, 'facility' | 'safetyPlan' | 'place'>;
  /** JSON state stored by the last daemon; undefined when there is none. */
  kept: string | undefined;
  /** Stores its state as JSON; resolves when it is on disk. */
  remember: (state: string) => Promise<void>;
  /** Offset of its ticks within the period, 0 to 1; default 0. */
  phase?: number;
  told: (live: ClimateLive) => void;
  statusChanged: (status: ControllerStatus) => void;
}

/** Maximum time that a house may be without control after a start, whatever its sensors do, s. */
const mostAwaited_s = 180;
/** Maximum time that the disk may delay a tick. */
const keepMs = 1_000;

/** A house's running climate program: each tick reads its sensors and commands the actuators as its loops demand. */
export class ClimateController implements ActingController<Climate> {
  readonly isRemembered = true;
  readonly #host: ClimateHost;
  readonly #drive: ClimateDrive;
  readonly #houses: ClimateHouses;
  /** What it aims at. */
  readonly #series: OwnSeries;
  #settings: Climate;
  #state: ClimateState;
  #plan: { of: DayPlan; place: Place } | undefined;
  #grid: Grid | undefined;
  #watched: Watched | undefined;
  #failure: string | null = null;
  #live: ClimateLive;
  #startedAt = 0;

  constructor(settings: Climate, host: ClimateHost) {
    this.#settings = settings;
    this.#host = host;
    this.#state = recalled(host.kept);
    this.#live = this.#nothing();
    this.#houses = new ClimateHouses(host.configuration, host.outputs);
    const channels = () => aimChannels(this.#settings);
    const spared = { least_s: climateStored_s, isTold: false };
    this.#series = new OwnSeries(settings.unique_id, { ...host, channels }, spared);
    this.#drive = new ClimateDrive({ ...host, owner: () => this.#settings });
  }

  get id(): string {
    return this.#settings.unique_id;
  }

  start(): void {
    this.#startedAt = this.#host.clock.elapsed();
    this.#run();
  }

  async stop(): Promise<void> {
    this.#watched?.end();
    this.#watched = undefined;
    await this.#grid?.stop();
  }

  /** Its actuators are safe and released. */
  async letGo(): Promise<boolean> {
    await this.#drive.letGo();
    this.#reportMissing([]);
    this.#series.end();
    this.#live = this.#nothing();
    this.#host.told(this.#live);
    return true;
  }

  /** Totals, timers and positions continue. */
  async reconfigure(settings: Climate): Promise<void> {
    this.#settings = settings;
    this.#plan = undefined;
    await this.#look();
  }

  status(): ControllerStatus {
    const state = this.#failure === null ? 'running' : 'failed';
    return { controller_id: this.id, controller_type: 'Climate', state, reason: this.#failure };
  }

  live(): ClimateLive {
    return this.#live;
  }

  #run(): void {
    const { clock, watchdog, phase = 0 } = this.#host;
    this.#watched = watchdog.watch({
      source_kind: 'controller',
      source_id: this.id,
      source_name: this.#settings.name,
      outputs: [],
      limit_s: (3 * climatePeriodMs) / 1000 + stalled_s,
      beginAnew: () => {
        this.#watched?.end();
        void this.#grid?.stop(); // its tick may never end
        this.#run();
      },
    });
    this.#grid = new Grid({
      clock,
      periodMs: climatePeriodMs,
      offsetMs: spreadMs(phase, climatePeriodMs),
      tick: () => this.#look(),
      ticked: () => this.#watched?.beat(),
    });
    this.#grid.start();
  }

  async #look(): Promise<void> {
    try {
      this.#say(await this.#act());
    } catch (error) {
      this.#say(messageOf(error));
    }
  }

  /** Returns what is wrong, null when nothing is. */
  async #act(): Promise<string | null> {
    const bound = this.#houses.of(this.#settings.facility_uuid, drivenRoles(this.#settings));
    if (bound === undefined) {
      await this.letGo();
      return null; // no fault: it waits until its house is restored
    }
    const { outputs, live, clock } = this.#host;
    const { influences } = this.#settings;
    const stateOf = (ref: { output_id: string; channel: number }) => outputs.stateOf(ref);
    const now_ms = clock.now();
    const { plan, house } = bound;
    const actuators = [...bound.actuators, ...bound.others];
    const readings = readingsOf({ sensors: plan.sensors, actuators, influences, live, stateOf, now_ms });
    const look = { program: this.#settings, plan: this.#planNow(), house, readings, now_ms };
    const step = climateStep(this.#state, look);
    if (this.#isAwaiting(bound, step, readings)) return null;
    this.#state = step.state;
    // State that the disk refuses is stored at the next tick. Watering is on disk before the water flows, so it is
    // not given twice. Where the disk refuses it, plants are watered all the same: a shot that a kill then repeats is
    // better than none for as long as the disk is full.
    const isKept = await this.#kept(step);
    if (this.#state !== step.state) return null; // other settings ticked meanwhile
    const demands = isKept ? step.demands : step.demands.filter(({ once }) => once === undefined);
    const failure = await this.#drive.ask(demands, bound.actuators);
    this.#tell(step, bound);
    this.#reportMissing(missingConditions(this.#settings, { ...step, ...readings }));
    return failure;
  }

  /** False when the disk takes too long: then no watering may begin, but everything else continues. */
  #kept({ state, demands }: ClimateStep): Promise<boolean> {
    const kept = this.#host.remember(JSON.stringify(state)).then(
      () => true,
      () => true,
    );
    if (!demands.some(({ once }) => once !== undefined)) return Promise.resolve(true);
    return within(kept, { clock: this.#host.clock, timeoutMs: keepMs, late: () => false });
  }

  /**
   * After a start, wait for the first reading of a missing sensor or measurement as long as for any other, and leave
   * the state until then.
   */
  #isAwaiting({ plan }: BoundHouse, { fallbacks }: ClimateStep, { measured }: ClimateReadings): boolean {
    const young_s = (this.#host.clock.elapsed() - this.#startedAt) / 1000;
    // What is stuck speaks, and a sensor that a substitute stands in for is not missed.
    const isInfluenced = this.#settings.influences.some(
      ({ measurement }, index) =>
        measurement !== undefined &&
        (measured[index] ?? null) === null &&
        young_s < Math.min(measurement.max_age_s, mostAwaited_s),
    );
    const missing = new Set(
      fallbacks.filter((one) => one !== 'vane_stuck' && one !== 'co2_stuck').map((one) => lostRoleOf[one]),
    );
    const isAwaited = plan.sensors.some(
      ({ role, stale_after_s }) => missing.has(role) && young_s < Math.min(stale_after_s, mostAwaited_s),
    );
    return isInfluenced || isAwaited;
  }

  #planNow(): DayPlan {
    const place = this.#host.configuration.place();
    if (this.#plan?.place !== place) this.#plan = { of: dayPlan(this.#settings, place), place };
    return this.#plan.of;
  }

  #reportMissing(missing: AlarmCondition[]): void {
    this.#host.alarms.report(this.id, missing, ({ code }) => code === 'climate_fallback');
  }

  #tell({ period, setpoints, loops, demands, fallbacks, sums }: ClimateStep, { actuators }: BoundHouse): void {
    const at = new Date(this.#host.clock.now()).toISOString();
    this.#live = {
      ...this.#nothing(),
      at,
      period: period.name,
      setpoints,
      loops,
      fallbacks,
      sums,
      actuators: demands.flatMap(({ key, pct, cause }) => {
        const found = actuators.find((one) => one.key === key);
        if (found === undefined) return [];
        const { role, output_id, channel, name } = found;
        const held_by = this.#drive.overruledBy(found);
        return [
          {
            role,
            output_id,
            channel,
            name,
            demand_pct: pct,
            held_by_hand: held_by !== null,
            held_by,
            cause,
            because: explained(climateReason(cause)).because,
          },
        ];
      }),
    };
    this.#host.told(this.#live);
    const aims = aimsOf(this.#live);
    this.#series.keep(({ channel }) => {
      const aim = climateAims[channel];
      return aim === undefined ? null : aims[aim];
    });
  }

  #nothing(): ClimateLive {
    const { unique_id: climate_id, facility_uuid } = this.#settings;
    return {
      climate_id,
      facility_uuid,
      at: null,
      period: null,
      setpoints: null,
      sums: null,
      loops: [],
      fallbacks: [],
      actuators: [],
    };
  }

  #say(failure: string | null): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#host.statusChanged(this.status());
  }
}

/** The state stored by the last daemon; from another version, or if unreadable, starts afresh. */
function recalled(kept: string | undefined): ClimateState {
  if (kept === undefined) return freshState;
  try {
    const state = JSON.parse(kept) as Partial<ClimateState>; // written by this controller
    if (state.version !== 1) return freshState;
    const { today, irrigation, heating } = freshState;
    return {
      ...freshState,
      ...state,
      today: { ...today, ...state.today },
      irrigation: { ...irrigation, ...state.irrigation },
      heating: { ...heating, ...state.heating },
    };
  } catch {
    return freshState;
  }
}

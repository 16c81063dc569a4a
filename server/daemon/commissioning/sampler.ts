import type { Facility, SensorBinding, SensorRole } from '../../contract/facility.ts';
import type { Input } from '../../contract/input.ts';
import type { MeasuredDevice } from '../../contract/measured.ts';
import { sunOf } from '../../domain/analytics/light-sum.ts';
import { vapourDensity_kg_m3 } from '../../domain/climate/air.ts';
import { quantityFacts, quantityOfRole } from '../../domain/commissioning/quantity.ts';
import type { Series } from '../../domain/commissioning/series.ts';
import type { Clock } from '../clock.ts';
import type { LiveValues } from '../events/live-values.ts';

export interface SamplerOptions {
  facility: Facility;
  /** What sensors may be bound to: inputs, and functions that publish their results. */
  measured: readonly MeasuredDevice[];
  /** What a wrong wire might also move. */
  inputs: readonly Input[];
  live: Pick<LiveValues, 'last'>;
  clock: Clock;
}

/** A sensor of the house and its readings. */
export interface WatchedSensor {
  binding: SensorBinding;
  /** undefined when the device or its measurement is gone. */
  channel: number | undefined;
  period_s: number;
  /** Factor to the unit in which the sensor is judged: light in W/m2, whatever its own unit. */
  scale: number;
  series: Series;
  /** Readings of any quality. */
  count: number;
}

const units: ReadonlySet<string> = new Set(Object.values(quantityFacts).map(({ unit }) => unit));

const lightRoles: readonly SensorRole[] = ['indoor_light', 'outdoor_solar'];

/** Records every sensor during a check: those of the house, and others that a wrong wire might move. */
export class Sampler {
  readonly sensors: readonly WatchedSensor[];
  readonly #options: SamplerOptions;
  readonly #others: readonly Series[];
  readonly #vapour: readonly { series: Series; temp: Series; humidity: Series }[];
  readonly #seen = new Map<Series, number>();

  constructor(options: SamplerOptions) {
    this.#options = options;
    const { facility, measured, inputs } = options;
    this.sensors = facility.sensors.map((binding) => watched(binding, measured));
    const bound = new Set(facility.sensors.map(({ measurement_id }) => measurement_id));
    this.#others = inputs.flatMap((input) => othersOf(input, bound));
    this.#vapour = [this.#vapourOf('indoor'), this.#vapourOf('outdoor')].filter((one) => one !== undefined);
    for (const { series } of this.sensors) this.#seen.set(series, this.#lastTime(series));
  }

  /** All series, those of the house first. */
  get series(): readonly Series[] {
    return [...this.sensors.map(({ series }) => series), ...this.#vapour.map(({ series }) => series), ...this.#others];
  }

  /** Takes the readings since the last call. */
  sample(): void {
    const time_s = this.#options.clock.elapsed() / 1000;
    const fresh = new Set(
      this.sensors.filter((sensor) => this.#take(sensor.series, time_s, sensor)).map((s) => s.series),
    );
    for (const series of this.#others) this.#take(series, time_s);
    for (const { series, temp, humidity } of this.#vapour) {
      const [t, h] = [temp.points.at(-1), humidity.points.at(-1)];
      if (t === undefined || h === undefined || !(fresh.has(temp) || fresh.has(humidity))) continue;
      series.points.push({ time_s, value: 1000 * vapourDensity_kg_m3(t.value, h.value) });
    }
  }

  #take(series: Series, time_s: number, sensor?: WatchedSensor): boolean {
    const last = this.#options.live.last(series.device_id, series.measurement_id);
    if (last === undefined || last.time_ms === this.#seen.get(series)) return false;
    this.#seen.set(series, last.time_ms);
    if (sensor !== undefined) sensor.count += 1;
    if (last.value === null || last.quality !== 'good') return false;
    series.points.push({ time_s, value: last.value * (sensor?.scale ?? 1) });
    return true;
  }

  #lastTime({ device_id, measurement_id }: Series): number {
    return this.#options.live.last(device_id, measurement_id)?.time_ms ?? -Infinity;
  }

  #vapourOf(side: 'indoor' | 'outdoor') {
    const find = (role: Series['role']) => this.sensors.find(({ series }) => series.role === role)?.series;
    const [temp, humidity] = [find(`${side}_temp`), find(`${side}_humidity`)];
    if (temp === undefined || humidity === undefined) return undefined;
    const series: Series = {
      ...humidity,
      name: `${humidity.name} (vapour)`,
      unit: quantityFacts.vapour.unit,
      quantity: side === 'indoor' ? 'vapour' : null,
      points: [],
    };
    return { series, temp, humidity };
  }
}

function watched(binding: SensorBinding, measured: readonly MeasuredDevice[]): WatchedSensor {
  const { role, device_id, measurement_id, name } = binding;
  const device = measured.find(({ unique_id }) => unique_id === device_id);
  const channel = device?.channels.find((one) => one.measurement_id === measurement_id);
  const quantity = quantityOfRole[role] ?? null;
  const unit = channel?.unit ?? '';
  const scale = lightRoles.includes(role) ? sunOf(unit) : undefined;
  return {
    binding,
    channel: channel?.channel,
    period_s: device?.period_s ?? 1,
    scale: scale ?? 1,
    series: {
      name,
      device_id,
      measurement_id,
      unit: scale === undefined ? unit : quantityFacts.light.unit,
      role,
      quantity,
      points: [],
      period_s: device?.period_s ?? 1,
    },
    count: 0,
  };
}

function othersOf(input: Input, bound: ReadonlySet<string>): Series[] {
  return input.channels
    .filter(({ measurement_id, unit }) => !bound.has(measurement_id) && units.has(unit))
    .map(({ measurement_id, unit, name }) => ({
      name: `${input.name}, ${name}`,
      device_id: input.unique_id,
      measurement_id,
      unit,
      role: null,
      quantity: null,
      points: [],
      period_s: input.period_s,
    }));
}

import type { AlarmLimits } from '../../contract/alarm-limits.ts';
import type { LimitSide } from '../../contract/facility-live.ts';
import type { Alert, IndoorClimate, OutdoorClimate, SensorRole } from '../../contract/facility.ts';
import { gateBand } from '../../contract/safety.ts';
import type { UndatedAlert } from './alert-onsets.ts';
import type { Sensed } from './readings.ts';

export interface LimitCase {
  indoor: IndoorClimate;
  outdoor: OutdoorClimate;
  sensors: readonly Sensed[];
  limits: AlarmLimits;
  /** Whether such an alert already exists: it clears only when the reading is back by the hysteresis of its rule. */
  isRaised?: (alert: Pick<Alert, 'code' | 'role' | 'name'>) => boolean;
}

interface Rule extends Pick<Alert, 'code' | 'severity'> {
  limit: keyof AlarmLimits;
  side: LimitSide;
  role: SensorRole;
  value: (climate: Pick<LimitCase, 'indoor' | 'outdoor'>) => number | null;
  /** What is too high or low, and its unit. */
  what: string;
  unit: string;
  /** How far back a reading must be before its alert clears, in unit. */
  hysteresis: (limits: AlarmLimits, limit: number) => number;
}

const outOfBand = { code: 'out_of_band', severity: 'warning' } as const;
const air = {
  role: 'indoor_temp',
  value: ({ indoor }) => indoor.temp_c,
  what: 'The air inside',
  unit: 'C',
  hysteresis: ({ dead_band_temp_k }) => dead_band_temp_k ?? 0,
} satisfies Partial<Rule>;
const humidity = {
  role: 'indoor_humidity',
  what: 'The humidity inside',
  unit: '%',
  hysteresis: ({ dead_band_humidity_pct }) => dead_band_humidity_pct ?? 0,
  value: ({ indoor }) => indoor.humidity_pct,
} satisfies Partial<Rule>;
const co2 = {
  role: 'indoor_co2',
  value: ({ indoor }) => indoor.co2_ppm,
  what: 'CO2 inside',
  unit: 'ppm',
  hysteresis: ({ dead_band_co2_ppm }) => dead_band_co2_ppm ?? 0,
} satisfies Partial<Rule>;

/** An alarm lasts as long as the safety gate holds outputs for it. */
const asTheGate = {
  air: () => gateBand.air_k,
  wind: (_: AlarmLimits, limit: number) => limit * gateBand.wind_part,
};

/**
 * A later rule of the same role and side is suppressed by an earlier one: frost is more important than a departure from
 * the band.
 */
const rules: readonly Rule[] = [
  { ...air, code: 'frost', severity: 'emergency', limit: 'frost_c', side: 'below', hysteresis: asTheGate.air },
  {
    ...air,
    code: 'over_temperature',
    severity: 'emergency',
    limit: 'over_temperature_c',
    side: 'above',
    hysteresis: asTheGate.air,
  },
  { ...air, ...outOfBand, limit: 'indoor_temp_low_c', side: 'below' },
  { ...air, ...outOfBand, limit: 'indoor_temp_high_c', side: 'above' },
  { ...humidity, ...outOfBand, limit: 'indoor_humidity_low_pct', side: 'below' },
  { ...humidity, ...outOfBand, limit: 'indoor_humidity_high_pct', side: 'above' },
  { ...co2, ...outOfBand, limit: 'indoor_co2_low_ppm', side: 'below' },
  { ...co2, ...outOfBand, limit: 'indoor_co2_high_ppm', side: 'above' },
  {
    code: 'wind',
    severity: 'warning',
    limit: 'wind_m_s',
    side: 'above',
    role: 'outdoor_wind',
    value: ({ outdoor }) => outdoor.wind_m_s,
    what: 'The wind',
    unit: 'm/s',
    hysteresis: asTheGate.wind,
  },
  {
    code: 'rain',
    severity: 'info',
    limit: 'rain',
    side: 'above',
    role: 'rain',
    value: ({ outdoor }) => outdoor.rain,
    what: 'Rain',
    unit: '',
    hysteresis: () => 0,
  },
];

/** The alerts of a facility's good readings against the site's limits. */
export function limitAlerts(facts: LimitCase): UndatedAlert[] {
  const told = new Set<string>();
  const crossed = rules.flatMap((rule): UndatedAlert[] => {
    const alert = crossing(rule, facts);
    const place = `${rule.role} ${rule.side}`;
    if (alert === undefined || told.has(place)) return [];
    told.add(place);
    return [alert];
  });
  const { disagree_temp_k, disagree_humidity_pct } = facts.limits;
  return [
    ...crossed,
    ...outliers(facts.sensors),
    ...disagreement(facts, { role: 'indoor_temp', limit: disagree_temp_k, unit: 'K', hysteresis: 0.5 }),
    ...disagreement(facts, {
      role: 'indoor_humidity',
      limit: disagree_humidity_pct,
      unit: '%',
      hysteresis: 2,
    }),
  ];
}

function crossing(
  { code, severity, role, side, what, unit, ...rule }: Rule,
  facts: LimitCase,
): UndatedAlert | undefined {
  const value = rule.value(facts);
  const limit = facts.limits[rule.limit];
  if (value === null || limit === null) return undefined;
  const named = code === 'out_of_band' ? { name: side } : {};
  const slack = facts.isRaised?.({ code, role, ...named }) ? rule.hysteresis(facts.limits, limit) : 0;
  const isCrossed = side === 'above' ? value > limit - slack : value < limit + slack;
  if (!isCrossed) return undefined;
  const isBack = side === 'above' ? value < limit : value > limit;
  const place = isBack ? `only just ${side === 'above' ? 'below' : 'above'}` : side;
  const message = `${what} is at ${rounded(value)} ${unit}, ${place} ${limit} ${unit}`.trim();
  return { code, severity, message, role, ...named, value: rounded(value), limit, ...(unit && { unit }) };
}

/** Each sensor that its neighbours contradict, by name; its role's value comes from the others. */
function outliers(sensors: readonly Sensed[]): UndatedAlert[] {
  return sensors.flatMap(({ isOutlier, reading: { role, name, value, unit } }): UndatedAlert[] => {
    if (isOutlier === undefined || value === null) return [];
    const message = `${name} stands apart at ${rounded(value)} ${unit ?? ''}: it is left out`;
    return [{ code: 'sensor_disagree', severity: 'warning', message, role, name, value: rounded(value) }];
  });
}

interface Spread {
  role: SensorRole;
  limit: number | null;
  unit: string;
  hysteresis: number;
}

function disagreement({ sensors, isRaised }: LimitCase, { role, limit, unit, hysteresis }: Spread): UndatedAlert[] {
  const values = sensors.flatMap(({ reading }) =>
    reading.role === role && reading.quality === 'good' && reading.value !== null ? [reading.value] : [],
  );
  const apart = Math.max(...values) - Math.min(...values);
  if (limit === null || values.length < 2) return [];
  const slack = isRaised?.({ code: 'sensor_disagree', role }) ? Math.min(hysteresis, limit / 2) : 0;
  if (apart <= limit - slack) return [];
  const message = `Sensors of ${role} are ${rounded(apart)} ${unit} apart, more than ${limit} ${unit}`;
  return [{ code: 'sensor_disagree', severity: 'warning', message, role, value: rounded(apart), limit, unit }];
}

/** Rounded to the resolution of greenhouse sensors. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

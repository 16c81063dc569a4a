import { z } from 'zod';
import { name, uuid } from './identifier.ts';
import { clockTime } from './clock-time.ts';
import { sunEvents } from './method.ts';
import { controlMeasurement } from './pid.ts';
import { revisionNumber } from './quantity.ts';
import { moment } from './time.ts';

const between = (least: number, most: number, what: string) =>
  z.number().min(least).max(most).describe(`${what}, ${least} to ${most}`);
const isOn = z.boolean().describe('Whether this loop drives what the house binds for it');

/** Setpoints of a period of the day. */
export const climateSetpoints = z.strictObject({
  heating_c: between(0, 40, 'Below it the house is heated, C'),
  ventilation_c: between(0, 50, 'Above it the house is ventilated, C; not below heating_c'),
  humidity_pct: between(30, 100, 'Above it the air is dried, %; not at all when absent').optional(),
  deficit_kpa: between(0.05, 3, 'Below this vapour pressure deficit the air is dried too, kPa').optional(),
  deficit_g_m3: between(0.1, 20, 'Below this deficit of water it is dried too, g/m3').optional(),
  co2_ppm: between(200, 3000, 'Up to it CO2 is given, ppm; none when absent').optional(),
  vent_min_pct: between(0, 100, 'The lee side stays open so far, %; 0 when absent').optional(),
  vent_max_pct: between(0, 100, 'No vent opens further, %; 100 when absent').optional(),
  wind_side_max_pct: between(
    0,
    100,
    'The wind side opens no further, %; as far as vent_max_pct when absent',
  ).optional(),
  pipe_min_c: between(
    10,
    80,
    'The pipe behind a mixing valve is kept so warm, C; as in heating when absent',
  ).optional(),
  pipe_max_c: between(20, 110, 'Water of that pipe at full heat, C; as in heating when absent').optional(),
  screen_allowed: z.boolean().describe('Whether the energy screen may close; true when absent').optional(),
  lamps_allowed: z.boolean().describe('Whether lamps may burn; true when absent').optional(),
  irrigation_allowed: z
    .boolean()
    .describe('Whether shots may begin, but for those by the clock; true when absent')
    .optional(),
});
export type ClimateSetpoints = z.infer<typeof climateSetpoints>;

export const climatePeriod = z.strictObject({
  name,
  start: z.strictObject({
    event: z.enum(sunEvents).describe('What it begins by'),
    at: clockTime.optional().describe('For the event clock alone, HH:MM'),
    offset_min: between(-720, 720, 'After the event, before it where negative, min; 0 when absent').optional(),
  }),
  ramp: z
    .union([
      z.strictObject({ k_per_h: between(0.1, 60, 'How steep temperatures change, K/h; the rest changes at once') }),
      z.strictObject({ minutes: between(0, 720, 'How long each setpoint takes, min') }),
    ])
    .optional()
    .describe('From the setpoints before; at once when absent'),
  setpoints: climateSetpoints,
});
export type ClimatePeriod = z.infer<typeof climatePeriod>;

/** Setpoints that influences shift and a user may hold at a value for a while, with their absolute ranges. */
export const setpointRanges = {
  heating_c: [0, 40],
  ventilation_c: [0, 50],
  humidity_pct: [30, 100],
  co2_ppm: [200, 3000],
  vent_min_pct: [0, 100],
  vent_max_pct: [0, 100],
  pipe_min_c: [10, 80],
} as const;
export type SetpointName = keyof typeof setpointRanges;
export const setpointNames = Object.keys(setpointRanges) as [SetpointName, ...SetpointName[]]; // of a const object

export const influenceSources = [
  'radiation',
  'outdoor_temp',
  'wind',
  'humidity',
  'temperature_mean',
  'light_sum',
  'measurement',
] as const;

export const climateInfluence = z.strictObject({
  on: z.enum(setpointNames).describe('The setpoint that it shifts'),
  source: z
    .enum(influenceSources)
    .describe(
      'radiation W/m2 and outdoor_temp C outside, wind m/s, humidity % inside, temperature_mean C of the last 24 h inside, ' +
        'light_sum mol/m2 of the sun outside since midnight, or the measurement that is named',
    ),
  measurement: controlMeasurement.optional().describe('For the source measurement alone'),
  from_x: between(-100_000, 100_000, 'Of the source, in its unit, where the shift begins'),
  to_x: between(-100_000, 100_000, 'Where it is full'),
  from_y: between(-1000, 1000, 'Shift at from_x and before it, in the unit of the setpoint'),
  to_y: between(-1000, 1000, 'Shift at to_x and beyond it'),
  slew_per_h: between(0.01, 10_000, 'No faster than that an hour; at once when absent').optional(),
});
export type ClimateInfluence = z.infer<typeof climateInfluence>;

export const climateOverride = z.strictObject({
  on: z.enum(setpointNames).describe('The setpoint that is held'),
  value: between(0, 3000, 'What it is held at, in its unit and range'),
  until: moment.describe('When it ends by itself'),
  why: z.string().trim().max(200).optional(),
});
export type ClimateOverride = z.infer<typeof climateOverride>;

const heating = z.strictObject({
  is_on: isOn,
  gain_pct_per_k: between(1, 200, 'Heat for each K below the setpoint, % of what is installed'),
  integral_min: between(5, 600, 'Time after which a lasting error has doubled its share, min'),
  has_feed_forward: z
    .boolean()
    .describe('Heats by the heat loss of the house, the temperature outside and the warmth of the sun too'),
  sun_heat_share: between(0, 0.7, 'Share of the sun outside that warms the air and so needs no heat'),
  stage_min_s: between(30, 3600, 'A heater that is switched stays on or off so long, s'),
  dead_band_k: between(0, 2, 'So little below the setpoint changes nothing, K'),
  least_step_pct: between(1, 50, 'No smaller move of a heater that is dimmed, %'),
  pause_s: between(0, 3600, 'No move of it sooner after the one before, s'),
  pipe_min_c: between(
    10,
    80,
    'A pipe behind a mixing valve is kept so warm, but not while the house is ventilated, C; null: not',
  ).nullable(),
  pipe_max_c: between(20, 110, 'Water of that pipe at full heat, C'),
});

const ventilation = z.strictObject({
  is_on: isOn,
  band_warm_k: between(0.5, 30, 'Excess at which vents are open, K, when it is warm_c outside'),
  band_cold_k: between(0.5, 60, 'The same when it is cold_c outside, K'),
  warm_c: between(-20, 50, 'Outside, C'),
  cold_c: between(-50, 40, 'Outside, C; below warm_c'),
  band_share_per_m_s: between(0, 1, 'Share by which each m/s of wind widens the band'),
  integral_min: between(
    10,
    600,
    'Time after which a lasting excess has opened the vents as far again, min; null: by the band alone',
  ).nullable(),
  wind_side_offset_k: between(0, 10, 'The wind side follows the lee side so much later, K'),
  fan_offset_k: between(0, 10, 'Fans follow so much after the vents, K; at once where the house has no vents'),
  least_step_pct: between(1, 50, 'No smaller move, %; near closed moves may be smaller'),
  pause_s: between(30, 3600, 'No move sooner after the one before, s'),
});

const humidity = z.strictObject({
  is_on: isOn,
  vent_pct_per_pct: between(0, 20, 'Vent for each % of humidity above the setpoint, %'),
  vent_most_pct: between(0, 100, 'No further for humidity, %'),
  heat_pct_per_pct: between(0, 20, 'Heat for each % above it once the vents stand at their most, %'),
  heat_most_pct: between(0, 100, 'No more heat for humidity, %'),
  gap_pct_per_pct: between(0, 20, 'Gap of a closed screen for each % above it, %'),
  gap_most_pct: between(0, 50, 'No wider gap for humidity, %'),
  fog_above_kpa: between(0.1, 5, 'Fog above this vapour pressure deficit, kPa; null: none').nullable(),
  fog_pulse_s: between(1, 600, 'Length of a pulse of fog, s'),
  fog_pause_s: between(10, 7200, 'Pause after it, s'),
  fog_vent_most_pct: between(0, 100, 'No fog while a vent is open further, %'),
});

const screens = z.strictObject({
  is_on: isOn,
  energy: z
    .array(
      z.strictObject({
        outdoor_c: between(-60, 50, 'Outside, C'),
        radiation_w_m2: between(0, 1500, 'The energy screen closes below it, W/m2'),
      }),
    )
    .max(10)
    .describe('Ascending by outdoor_c; straight between, none beyond the last. Empty: it stays open'),
  dark_k: between(
    0,
    30,
    'In the dark the energy screen closes too while it is colder outside than the heating setpoint by more, K; null: by the table alone',
  ).nullable(),
  shade: z
    .array(
      z.strictObject({
        radiation_w_m2: between(50, 1500, 'From here on, W/m2'),
        closed_pct: between(0, 100, 'The shade is closed so far, %'),
      }),
    )
    .max(10)
    .describe('Ascending. Empty: it stays open'),
  delay_s: between(0, 7200, 'What calls for a move must last so long, s'),
  pause_s: between(60, 7200, 'No other way sooner after a move, s'),
  open_step_pct: between(1, 100, 'The energy screen opens in such steps, %'),
  open_step_s: between(10, 3600, 'Time between two steps, s'),
});

const co2 = z.strictObject({
  is_on: isOn,
  vent_most_pct: between(0, 100, 'None while a vent is open further, %; the target falls towards it'),
  light_least_w_m2: between(0, 500, 'None with less sun outside, W/m2, unless lamps burn'),
  light_full_w_m2: between(
    1,
    1500,
    'The target rises from outdoor_ppm to its full height at so much sun, W/m2; null: at once',
  ).nullable(),
  outdoor_ppm: between(300, 1000, 'Target when vents stand at their limit, ppm'),
  maximum_ppm: between(400, 5000, 'Above it none in any case, ppm'),
  deadband_ppm: between(1, 500, 'It begins so much below the target, ppm'),
  capacity_kg_h: between(
    0.01,
    10_000,
    'What the supply gives, kg/h, by which it is counted; null: not known',
  ).nullable(),
});

const lamps = z.strictObject({
  is_on: isOn,
  below_w_m2: between(0, 1000, 'Lamps burn with less sun outside, W/m2'),
  above_w_m2: between(0, 1200, 'And go out with more, W/m2; above below_w_m2'),
  sum_mol_m2: between(
    1,
    100,
    'They go out when sun and lamps have given so much today, or the rest of the day will, mol/m2; null: never',
  ).nullable(),
  lamp_umol_m2_s: between(1, 1000, 'What all lamps together give, umol/m2/s'),
  transmittance: between(0.1, 1, 'Share of the sun that reaches the crop'),
  least_on_s: between(0, 7200, 'They burn so long at least, s'),
  most_h: between(0, 24, 'No longer a day, h'),
  group_delay_s: between(0, 3600, 'One group after the other, s'),
});

const irrigation = z.strictObject({
  is_on: isOn,
  sum_j_cm2: between(
    10,
    2000,
    'A shot for so much sun outside since the one before, J/cm2; null: not by the sun',
  ).nullable(),
  shot_ml_m2: between(10, 5000, 'Water of a shot, ml/m2'),
  least_rest_min: between(1, 720, 'No shot sooner after the one before, min'),
  most_rest_min: between(5, 1440, 'A shot after so long in any case, min; null: not').nullable(),
  begin_min: between(-720, 720, 'The first shot of the day after sunrise, before it where negative, min'),
  end_min: between(-720, 720, 'None later before sunset, after it where negative, min'),
  times: z.array(clockTime).max(24).describe('Shots by the clock beside these, ascending, HH:MM, also by night'),
  moisture_below_pct: between(1, 100, 'A shot while the substrate is drier, %; null: not by moisture').nullable(),
  drain_target_pct: between(1, 80, 'Share that should drain over the day, %; null: drain corrects nothing').nullable(),
  drain_gain: between(0.1, 10, 'For each % of drain too much or too little the sum changes by so many %'),
  drain_most_pct: between(0, 50, 'Drain changes the sum by no more, %'),
  most_l_m2: between(0.1, 100, 'No more water a day, l/m2'),
  most_valve_s: between(10, 7200, 'No valve is open longer in a shot, s'),
});

const circulation = z.strictObject({
  is_on: isOn,
  spread_k: between(0.2, 20, 'Fans run while the thermometers of the house differ by more, K'),
  minutes_per_h: between(0, 60, 'And so long in each hour in any case, min'),
});

const meanTemperature = z.strictObject({
  is_on: isOn,
  target_c: between(5, 40, 'Mean that the house should come to, C'),
  days: between(1, 7, 'Over which warmth and cold make up for each other'),
  most_k: between(0, 10, 'No larger correction of heating and ventilation, K'),
});

const limits = z.strictObject({
  storm_m_s: between(3, 60, 'Vents are closed above this wind, m/s'),
  rain_vent_most_pct: between(0, 100, 'No vent further while it rains, %'),
  frost_c: between(-30, 15, 'Outside, C'),
  frost_vent_most_pct: between(0, 100, 'No vent further while it is colder than frost_c, %'),
  release_s: between(0, 3600, 'A limit holds so long after its reading is back, s'),
});

/** The loops of a climate program, in order of calculation. */
export const climateLoops = {
  mean_temperature: meanTemperature,
  screens,
  humidity,
  ventilation,
  heating,
  lamps,
  co2,
  irrigation,
  circulation,
};
export type ClimateLoop = keyof typeof climateLoops;

/** The settings of a climate program except its name. */
export const climateProgram = z.strictObject({
  periods: z.array(climatePeriod).min(1).max(8).describe('In the order of the day'),
  influences: z.array(climateInfluence).max(30).describe('Added up'),
  overrides: z
    .array(climateOverride)
    .max(setpointNames.length)
    .describe('Win over periods and influences until they end, but never over limits; one a setpoint'),
  ...climateLoops,
  limits,
});
export type ClimateProgram = z.infer<typeof climateProgram>;

/**
 * Defaults. H: Hoogendoorn (vents at heating +1 K lee, +2 K wind side; 85 % -> 0, 90 % -> 5 % vent); K: Katzin (2021),
 * GreenLight controls (vent band 4 K); G: Grodan's settings (100 J/cm2 and 300 ml/m2 a shot, 15 min, none within 2 h of
 * sunset); W: set points of the Wageningen autonomous greenhouse challenge (both screens). The rest is usual practice.
 */
export const climateDefaults: Omit<ClimateProgram, 'periods'> = {
  influences: [],
  overrides: [],
  heating: {
    is_on: true,
    gain_pct_per_k: 15,
    integral_min: 60,
    has_feed_forward: true,
    sun_heat_share: 0.2,
    stage_min_s: 180,
    dead_band_k: 0.3,
    least_step_pct: 8,
    pause_s: 180,
    pipe_min_c: null,
    pipe_max_c: 70,
  },
  ventilation: {
    is_on: true,
    band_warm_k: 4,
    band_cold_k: 12,
    warm_c: 20,
    cold_c: 0,
    band_share_per_m_s: 0.03,
    integral_min: 60,
    wind_side_offset_k: 1,
    fan_offset_k: 2,
    least_step_pct: 10,
    pause_s: 300,
  },
  humidity: {
    is_on: true,
    vent_pct_per_pct: 1,
    vent_most_pct: 5,
    heat_pct_per_pct: 2,
    heat_most_pct: 10,
    gap_pct_per_pct: 1,
    gap_most_pct: 4,
    fog_above_kpa: null,
    fog_pulse_s: 15,
    fog_pause_s: 120,
    fog_vent_most_pct: 30,
  },
  screens: {
    is_on: true,
    energy: [
      { outdoor_c: -20, radiation_w_m2: 200 },
      { outdoor_c: -5, radiation_w_m2: 200 },
      { outdoor_c: 8, radiation_w_m2: 50 },
      { outdoor_c: 10, radiation_w_m2: 5 },
      { outdoor_c: 12, radiation_w_m2: 0 },
    ],
    dark_k: 3,
    shade: [
      { radiation_w_m2: 400, closed_pct: 50 },
      { radiation_w_m2: 600, closed_pct: 70 },
      { radiation_w_m2: 800, closed_pct: 90 },
    ],
    delay_s: 300,
    pause_s: 900,
    open_step_pct: 20,
    open_step_s: 240,
  },
  co2: {
    is_on: true,
    vent_most_pct: 10,
    light_least_w_m2: 50,
    light_full_w_m2: null,
    outdoor_ppm: 400,
    maximum_ppm: 1500,
    deadband_ppm: 50,
    capacity_kg_h: null,
  },
  lamps: {
    is_on: false,
    below_w_m2: 100,
    above_w_m2: 150,
    sum_mol_m2: 15,
    lamp_umol_m2_s: 150,
    transmittance: 0.7,
    least_on_s: 1200,
    most_h: 18,
    group_delay_s: 60,
  },
  irrigation: {
    is_on: false,
    sum_j_cm2: 100,
    shot_ml_m2: 300,
    least_rest_min: 15,
    most_rest_min: 180,
    begin_min: 60,
    end_min: 120,
    times: [],
    moisture_below_pct: null,
    drain_target_pct: null,
    drain_gain: 1,
    drain_most_pct: 30,
    most_l_m2: 12,
    most_valve_s: 900,
  },
  circulation: { is_on: true, spread_k: 1.5, minutes_per_h: 15 },
  mean_temperature: { is_on: false, target_c: 19, days: 3, most_k: 1.5 },
  limits: { storm_m_s: 15, rain_vent_most_pct: 10, frost_c: 0, frost_vent_most_pct: 20, release_s: 300 },
};

/** Part of a request: what it omits stays, or takes the default. */
const parts = Object.fromEntries(
  Object.entries({ ...climateLoops, limits }).map(([key, schema]) => [key, schema.partial().optional()]),
) as { [Key in ClimateLoop | 'limits']: z.ZodOptional<ReturnType<ClimateParts[Key]['partial']>> }; // the same keys
type ClimateParts = typeof climateLoops & { limits: typeof limits };

/** What a request may contain. */
export const climateAsked = {
  name: name.optional().describe('That of the house when absent'),
  is_activated: z.boolean().optional().describe('true when absent'),
  periods: climateProgram.shape.periods,
  influences: climateProgram.shape.influences.optional(),
  overrides: climateProgram.shape.overrides.optional(),
  ...parts,
};

export const climateSettings = z.strictObject({
  unique_id: uuid,
  revision: revisionNumber.min(1).describe('Rises with every change'),
  name,
  is_activated: z.boolean(),
  facility_uuid: uuid.describe('The house; one program each'),
  ...climateProgram.shape,
});
export type Climate = z.infer<typeof climateSettings>;

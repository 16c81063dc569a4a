import type { ClimateCause, ClimateReason } from '../../contract/climate-live.ts';

/** Why, as a cause of a command has it; pages say it in their own language, by the code. */
const sentences: Readonly<Record<ClimateReason, string>> = {
  heat_loss: 'heat {demand_pct} %: {error_k} K below {target_c} C, {ahead_pct} % for the loss of the house',
  warm_enough: 'no heat: {error_k} K to {target_c} C',
  vents_warm: 'no heat: the house is warm enough to ventilate',
  dry_by_heat: 'heat {demand_pct} % to dry the air',
  no_thermometer: 'no thermometer inside: safe',
  vent_excess: 'vents {demand_pct} %: {excess_k} K above {target_c}, band {band_k} K',
  vent_closed: 'vents shut: {excess_k} K by {target_c} C',
  vent_least: 'vents {demand_pct} %: the least of this period',
  vent_humid: 'vents {demand_pct} %: {humidity_pct} % humidity',
  storm: 'shut: wind {wind_m_s} m/s, storm above {limit_m_s} m/s',
  station_lost: 'shut: the wind is not known, which counts as a storm',
  rain: 'at most {most_pct} %: rain',
  frost: 'at most {most_pct} %: {outdoor_c} C outside, frost below {limit_c} C',
  fan_excess: 'fan {demand_pct} %: {excess_k} K too warm, begins at {start_k} K',
  fan_off: 'fan off: {excess_k} K, begins at {start_k} K',
  screen_cold: 'screen closed: {radiation_w_m2} W/m2 below {limit_w_m2} at {outdoor_c} C outside',
  screen_open: 'screen open: {radiation_w_m2} W/m2, closes below {limit_w_m2} at {outdoor_c} C outside',
  screen_gap: 'screen closed with a gap of {gap_pct} % for humidity',
  screen_refused: 'screen open: not in this period',
  shade_sun: 'shade {closed_pct} %: {radiation_w_m2} W/m2',
  shade_open: 'shade open: {radiation_w_m2} W/m2',
  co2_dose: 'CO2: {co2_ppm} of {target_ppm} ppm',
  co2_reached: 'no CO2: {co2_ppm} of {target_ppm} ppm',
  co2_vents: 'no CO2: vents at {vents_pct} %, limit {limit_pct} %',
  co2_dark: 'no CO2: {radiation_w_m2} W/m2 of light',
  co2_maximum: 'no CO2: {co2_ppm} ppm is above the maximum of {maximum_ppm}',
  co2_no_sensor: 'no CO2: its sensor says nothing',
  co2_none: 'no CO2 in this period',
  lamps_dark: 'lamps: {radiation_w_m2} W/m2 of sun',
  lamps_bright: 'no lamps: {radiation_w_m2} W/m2 of sun',
  lamps_sum: 'no lamps: {light_mol_m2} of {sum_mol_m2} mol/m2 reached',
  lamps_hours: 'no lamps: {hours} h today',
  lamps_refused: 'no lamps in this period',
  humid: '{humidity_pct} % above {target_pct} %: gap {gap_pct} %, vents {vent_pct} %, heat {heat_pct} %',
  dry_enough: '{humidity_pct} % is not above {target_pct} %',
  fog_pulse: 'fog: {deficit_kpa} kPa above {limit_kpa}',
  fog_pause: 'no fog: pause',
  fog_off: 'no fog: {deficit_kpa} kPa',
  circulation_spread: 'mixing: {spread_k} K between thermometers',
  circulation_turn: 'mixing: {minutes_per_h} min in each hour',
  circulation_off: 'no mixing: {spread_k} K between thermometers',
  mean_correction: '{correction_k} K: {degree_hours} K h by {target_c} C',
  no_sensor: 'a sensor that it goes by says nothing',
};

/** A cause in words; a number that it lacks is a dash. */
export function wordsOf({ code, values }: ClimateCause): string {
  return sentences[code].replace(/\{(\w+)\}/g, (_, name: string) => shown(values[name]));
}

function shown(value: number | undefined): string {
  return value === undefined ? '–' : String(Math.round(value * 10) / 10);
}

import type { ControllerFault } from './controller-kind.ts';

/** Faults of a climate program as a whole, in English; pages translate each code. `{}` is a value. */
export const climateFaultMessages = {
  clock_time: 'goes with the event clock',
  ventilation_below_heating: 'must not be below heating_c',
  vent_min_above_max: 'must not be above vent_max_pct',
  pipe_min_above_max: 'must be below pipe_max_c',
  light_not_above: 'must be above light_least_w_m2',
  influence_flat: 'must differ from from_x',
  influence_measurement: 'goes with the source measurement',
  override_range: 'must be from {least} to {most}',
  override_twice: 'is held at another value already',
  cold_not_below_warm: 'must be below warm_c',
  cold_band_narrow: 'must not be below band_warm_k: cold air must come in slowly',
  lamps_never_off: 'must be above below_w_m2',
  not_ascending: 'must ascend',
  rest_most_below_least: 'must not be below least_rest_min',
  second_program: 'has the climate program "{name}" already',
  periods_cross: 'would not follow each other in this order on {day}',
  none_stored: 'has no day of which the weather is stored whole',
  not_stored_yet: 'must end before now: nothing is stored of the days to come',
  no_sensor: 'needs a sensor of the role {role} in the house',
  not_dimmer: 'needs an output of the kind dimmer for the valve "{name}"',
  no_run_time: 'needs the run time of the valve "{name}"',
  no_rated_flow: 'needs the rated water flow of the valve "{name}"',
} as const;
export type ClimateFaultCode = keyof typeof climateFaultMessages;

export function climateFaultAt(
  path: string,
  code: ClimateFaultCode,
  values: Record<string, string | number> = {},
): ControllerFault {
  const message = climateFaultMessages[code].replace(/\{(\w+)\}/g, (_, key: string) => String(values[key]));
  return { path, code, message, ...(Object.keys(values).length > 0 && { values }) };
}

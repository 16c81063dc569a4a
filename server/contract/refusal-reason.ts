/**
 * Why something is refused, where the `code` alone does not tell. The English is what programs and logs get; a page
 * says it in its language by the reason and its values. A sentence about a field follows the field's name.
 */
export const refusalReasons = {
  // The whole request.
  key_revoked: 'the key is revoked',
  role_held: 'the role of {names}',
  role_built_in: '{name} is built in and never changes: make a role of your own',
  no_second_factor: 'there is no second factor',
  second_factor_is: 'the second factor is {state}',
  nothing_to_acknowledge: 'none of these alarms needs an acknowledgement',
  alarm_ends_itself: 'this alarm ends when the daemon is reached again',
  alarm_not_now: 'an alarm in this state does not take this',
  nothing_put_aside: 'there is nothing that a restore has put aside',
  cannot_restart: 'this service cannot start itself anew: stop it, and run "orangery restore"',
  restore_decided: 'a restore is decided: wait for the service to start anew',
  no_sound_backup: 'there is no sound backup yet: make one first',
  copy_under_way: 'a backup is on its way there: wait for it',
  backup_under_way: 'another backup is worked on: wait for it to end',
  too_many_destinations: 'there are {most} already: delete another first',
  area_asked_already: 'it is being asked for already',
  area_misses_nothing: 'the area misses nothing',
  area_under_way: 'another area is being stored: pause it or wait for its end',
  used_by: 'used by {names}',
  output_driven_by: 'its output is driven by {names}',
  all_blocked: 'every command was blocked',
  nothing_carried_out: 'no command was carried out',
  shape_gone: 'the shape that it stood on is gone: restore its map first',
  house_not_in_trash: 'the facility is not in the trash',
  house_partly_real: 'a house is all real or all simulated, and this one has {names}',
  weather_file_deleted: '{name} was deleted meanwhile',
  daemon_cannot_start: 'the control daemon cannot start: {said}',
  daemon_not_stopped: 'the control daemon is not stopped',
  map_not_in_trash: 'map {id} is not in the trash',
  too_many_cadastres: 'there are {most} imported files: delete one first',
  too_many_dashboards: 'a user has at most {most} dashboards',
  too_many_views: 'a user has at most {most} views of trends',
  part_under_way: 'a part of that file is being stored',
  part_out_of_step: '{bytes} bytes are there',
  measurements_unreadable: 'the measurements cannot be read at the moment',
  journal_unreadable: 'the journal of the alarms cannot be read at the moment',
  emergency_stopped: 'the emergency stop is active: release it first',
  check_not_running: 'the check does not run any more',
  check_not_completed: 'the check is not completed',
  nothing_to_retest: 'nothing can be tested again',

  // Any field.
  read_only: 'cannot be changed',
  named_twice: 'is named twice',
  in_past: 'must be in the future',
  to_not_after_from: 'must be after from',
  span_not_past: 'must be after from, which must be past',
  span_over_days: 'must lie within {days} days of to',
  no_such_output: 'is no output that exists',
  no_such_channel: 'is not a channel of this output',
  measures_nothing: 'is nothing that exists and measures',
  no_such_measurement: 'is no measurement of this device',
  no_such_controller: 'is no {noun} that exists',
  no_such_device: 'is no device that exists',
  no_such_facility: 'is no facility that exists',
  no_such_map: 'is no map that exists',
  no_such_shape: 'is no feature of a map',
  no_such_action: 'is no action of this controller',
  no_such_role: 'is not the name of a role',
  no_such_target: 'is no notification target that exists',
  other_target_kind: 'is a notification target of the kind {found}, not {kind}',

  // Accounts, secrets, settings.
  username_form: 'must be 1 to 64 letters, digits and . _ @ -',
  wrong_code: 'is not the present code',
  secret_not_set: 'is not set: send the secret itself',
  secret_elsewhere: 'is not set for this but for another address: send the secret itself',
  passphrase_short: 'needs {least} characters',
  plan_unreadable: 'is needed: the stored plan cannot be read',
  no_such_folder: 'must be the whole path of a folder that is there',
  https_needed: 'must begin with https:// where network is public',
  zoom_above_most: 'must not be above max_zoom ({most})',
  limit_order: 'must be below {high} ({most})',
  no_time_zone: 'is not an IANA time zone',
  layer_needed: 'must have the layer of a WFS',
  same_channel: 'must be another channel',
  measured_by_nothing: 'is measured by nothing',
  retention_needed: 'or rollup_days is needed: nothing would be set',
  rollup_shorter: 'must not be shorter than raw_days',
  named_by_controller: 'cannot be changed: a controller names it',
  factor_zero: 'must not be 0',

  // Devices.
  no_channel: 'describe no channel that this kind of device can have',
  not_of_options: 'is not a channel of these options',
  entry_each_channel: 'must have one entry for each channel',
  scale_zero: 'must have no scale of 0',
  raw_unit: 'of {measurement} is one of {units}',
  plausible_order: 'must be below plausible_max ({most})',
  expression: 'is no expression of x',
  only_switch: 'can only be switch here',
  no_closer: 'is no switch of these options',
  closer_is_own: 'is another channel than its own',
  closer_taken: 'runs the motor of channel {channel} already',
  closer_is_motor: 'runs a motor of its own',
  position_already: 'of a dimmer is null: it takes a position as it is',
  travel_needed: 'is needed with motor_close_channel',
  safe_on_off: 'of a switch is on or off',
  no_duty_cycle: 'of a dimmer is null: it takes any duty as it is',
  needs_dimmer: 'needs a dimmer: this channel is a switch',
  needs_dimmer_or_cycle: 'needs a dimmer, or a switch with pwm_cycle_s',
  needs_flow: 'needs a calibrated flow: set flow_ml_s of the channel',
  duty_too_long: 'would keep it on for longer than max_on_s in each cycle',
  override_past: 'must be after {at}',

  // Controllers.
  action_name_taken: 'is the name of another action',
  name_taken: 'is the name of another condition or action',
  same_time: 'must be another time than from',
  colour_needed: 'is needed: #rrggbb',
  statement: 'line {line}, column {column}: {said}',
  too_many_looks: 'is more than {most} looks: choose a shorter time or a longer period',
  too_much_stored: 'has too much stored since: try a shorter time',
  one_setpoint: 'exactly one of setpoint, method_id and setpoint_measurement is not null',
  output_of_direction: 'must name the output of this direction',
  min_above_max: 'must not be above max ({most})',
  integrator_order: 'must not be above integrator_max ({most})',
  same_output: 'must be another channel than raise',
  other_unit: 'must be in the unit of the measurement, {unit}',
  pid_other_unit: 'must be in the unit of the measurement of the PID, {unit}',
  same_setpoint: 'must be another setpoint than from',
  too_many_steps: 'is more than {most} steps of the model: choose a shorter time',
  not_simulated: 'the simulated house has {quantities} alone',
  points_cross: 'would not follow each other in this order on {day}',
  point_order: 'must come after the point before it',
  clock_point: 'is needed for the event clock, and for no other',
  method_circle: 'leads back to this method, or is more than {most} cascades deep',
  method_unit: 'has the unit {found} where {unit} is needed',
  named_already: 'is named already',
  quantity_needed: 'must be a measurement of {measures}',
  no_direction: 'must not be a direction, which runs in a circle',
  window_short: 'must hold at least two looks',
  more_than_listed: 'must not be more than there are measurements',
  upper_not_above_base: 'must be above base_c',
  pump_needed: 'or lower_output is needed',
  dose_without_pump: 'belongs to {pump}',
  same_pump: 'must be another pump than raise_output',
  lock_short: 'must not be shorter than mixing_s',
  daily_below_dose: 'must allow one dose',

  // Houses.
  opening_size: 'must be given, or width_m with height_m in its place',
  bound_twice: 'is bound already, as number {first} of the list',
  other_quantity: 'is {measurement}: {role} takes {taken}',
  meters_nothing: 'is {measurement}, which meters nothing',
  kwh_needed: 'is needed: the meter counts {measurement}, not energy',
  measures_no_flow: 'is {measurement}, which is no flow',
  bound_device_gone: 'is bound to "{name}", which is gone',
  not_bound: 'is not bound by the facility',
  rating_unknown: 'is needed: no facility says what the output draws',
  too_many_changes: 'leaves too many changes of state to add up',
  no_such_weather_file: 'is no file in the folder weather of the data directory',
  too_many_weather_files: 'would be one more than {most} files: delete another first',
  weather_file: 'is no year of weather',
  weather_line: 'is no year of weather: line {line}',

  // Maps.
  geometry_kind: 'is another geometry than this type has',
  geometry_form: 'is no GeoJSON',
  geometry_range: 'is off the earth',
  geometry_length: 'has no length',
  geometry_area: 'encloses no area',
  geometry_crossing: 'crosses itself',
  geometry_hole: 'is a hole outside the outer ring',
  not_side_by_side: 'must lie side by side',
  device_needed: 'is needed: it says which device stands here',
  encloses_nothing: 'encloses nothing',
  zoom_order: 'must not be above max_zoom',
  service_zoom: 'the service ends at {zoom}',
  too_many_rows: 'has more than {most} rows',
  no_table: 'is no table: line {line}',
  no_rows: 'has no rows',
  unknown_encoding: 'is neither UTF-8, UTF-16 nor CP949',

  // Pipes.
  not_one_area: 'is no area of the map in one piece',
  zone_valve: 'is none of device_ids, or the source',
  too_many_emitters: 'has more than {most} emitters: split it',
  no_such_house: 'is no house of the map',
  no_such_line: 'is no line of the map',
  line_replaced: 'is of the plan that is replaced',
  line_without_size: 'has no inner_mm, and no diameter_mm of {series}: pressures cannot be worked out',
  sources_alone: 'name sources alone',
  too_many_corners: 'names a map whose houses and no-trench areas have over {most} corners',
  too_many_line_corners: 'and corridors have too many corners for {places} places to join: choose fewer lines',
  curve_order: 'must have rising flows and falling heads',
  via_blocked: 'is where no pipe may be',
} as const;

export type RefusalReason = keyof typeof refusalReasons;

type PlacesIn<Text> = Text extends `${string}{${infer Place}}${infer Rest}` ? Place | PlacesIn<Rest> : never;
type ValuesOf<Reason extends RefusalReason> = {
  readonly [Place in PlacesIn<(typeof refusalReasons)[Reason]>]: Place extends 'names'
    ? readonly string[]
    : string | number;
};

/** A sentence with the reason and the values that it was made from. */
export interface Said {
  message: string;
  why: RefusalReason;
  values?: Record<string, string | number>;
  /** Those that `values.names` quotes and lists. */
  names?: string[];
}

/** A rule of a schema with its reason: `.refine(isWhole, ruled(why('factor_zero')))`. */
export function ruled({ message, ...said }: Said): { message: string; params: Omit<Said, 'message'> } {
  return { message, params: said };
}

/** What is said of a reason: `why('raw_unit', { measurement, units })`. */
export function why<Reason extends RefusalReason>(
  reason: Reason,
  ...[values]: [PlacesIn<(typeof refusalReasons)[Reason]>] extends [never] ? [] : [values: ValuesOf<Reason>]
): Said {
  const given: Readonly<Record<string, string | number | readonly string[]>> = values ?? {};
  const said = Object.fromEntries(Object.entries(given).map(([place, value]) => [place, textOf(value)]));
  const message = refusalReasons[reason].replace(/\{(\w+)\}/g, (_, place: string) => String(said[place]));
  const { names } = given;
  return {
    message,
    why: reason,
    ...(values && { values: said }),
    ...(typeof names === 'object' && { names: [...names] }),
  };
}

function textOf(value: string | number | readonly string[]): string | number {
  return typeof value === 'object' ? value.map((name) => `"${name}"`).join(', ') : value;
}

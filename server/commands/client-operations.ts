import type { DaemonControl } from '../orangery_client.ts';

/** What the command line calls by its name; `events_since` is there too, with a way of its own to follow. */
export type OperationName = Exclude<keyof DaemonControl, 'close'>;

interface Operation {
  /**
   * Arguments in order, as the help shows them: `name`, `[name]` where it may be left out, with `:number`, `:switch` (on or off) or
   * `:json` for what is no text; `-` stands for one that the command line does not give.
   */
  takes: string;
  does: string;
}

export const operations: Readonly<Record<OperationName, Operation>> = {
  alarm_acknowledge: { takes: 'alarm_id - [note]', does: 'say that an alarm was seen' },
  alarm_remove_from_service: { takes: 'alarm_id - [note]', does: 'take an alarm out of service' },
  alarm_report: { takes: 'source_id conditions:json', does: 'tell the conditions at a source' },
  alarm_return_to_service: { takes: 'alarm_id - [note]', does: 'put an alarm back into service' },
  alarm_shelve: { takes: 'alarm_id duration_s:number - [note]', does: 'silence an alarm for a time' },
  alarm_unshelve: { takes: 'alarm_id - [note]', does: 'end that silence' },
  check_daemon: { takes: '', does: 'GOOD, or what is wrong' },
  commissioning_abort: { takes: 'check_id', does: 'end a check of a house and bring everything back' },
  commissioning_accuracy: { takes: 'check_id reference:json', does: 'hold a sensor against a reference instrument' },
  commissioning_get: { takes: 'check_id', does: 'what a check of a house found' },
  commissioning_list: { takes: 'facility_id', does: 'the checks of a house' },
  commissioning_reopen: { takes: 'check_id reason', does: 'open a completed check for verdicts again' },
  commissioning_start: { takes: 'facility_id [include:json]', does: 'begin to check a house, or some of its devices' },
  commissioning_verdict: { takes: 'check_id verdict:json', does: 'approve or hold what a check found' },
  controller_activate: { takes: 'controller_id [controller_type]', does: 'start a controller' },
  controller_deactivate: { takes: 'controller_id [controller_type]', does: 'stop a controller' },
  controller_is_active: { takes: 'controller_id', does: 'whether a controller is at work' },
  controller_refresh: { takes: 'controller_id', does: 'give a controller its changed settings' },
  controller_restart: { takes: 'controller_id', does: 'stop and start a controller' },
  daemon_status: { takes: '', does: 'version, process, data directory and start of the daemon' },
  display_backlight_color: { takes: 'lcd_id color', does: 'color the light of a display, #rrggbb' },
  drivers: { takes: '', does: 'the drivers and their options' },
  emergency_stop: { takes: '[reason]', does: 'drive every output to its safe state and hold it there' },
  emergency_stop_get: { takes: '', does: 'whether the emergency stop holds, since when and by whom' },
  emergency_stop_release: { takes: '', does: 'release the emergency stop; outputs stay as they are' },
  events_since: { takes: '[cursor] [wait_s:number]', does: 'the events after a cursor; --follow goes on for ever' },
  function_status: { takes: 'function_id', does: 'what a function says of itself' },
  get_condition_measurement: { takes: 'condition_id', does: 'the measurement of a condition' },
  get_condition_measurement_dict: { takes: 'condition_id', does: 'the measurements of a condition with their times' },
  input_force_measurements: { takes: 'input_id', does: 'read an input now, and store it' },
  last_measurement: { takes: 'device_id measurement_id [max_age_s:number]', does: 'the newest reading' },
  lcd_backlight: { takes: 'lcd_id state:switch', does: 'light a display' },
  lcd_flash: { takes: 'lcd_id state:switch', does: 'flash the light of a display' },
  lcd_reset: { takes: 'lcd_id', does: 'start a display anew' },
  live_state: { takes: '', does: 'all readings, outputs and controllers at this moment' },
  measurement_create: { takes: 'sample:json', does: 'store one sample' },
  measurements_create: { takes: 'samples:json', does: 'store several samples' },
  modbus_probe: { takes: 'host unit_id:number [port:number]', does: 'whether a Modbus unit is there' },
  module_function: {
    takes: 'controller_type unique_id button_id args_dict:json [thread:switch] [return_from_function:switch]',
    does: 'run a command that a module declares',
  },
  mqtt_probe: { takes: 'broker:json', does: 'which devices announced themselves on an MQTT broker' },
  output_command: { takes: 'command:json', does: 'command an output with everything that REST can say' },
  output_off: { takes: 'output_id [trigger_conditionals:switch] [output_channel:number]', does: 'turn an output off' },
  output_on: {
    takes:
      'output_id [output_type] [amount:number] [min_off:number] [trigger_conditionals:switch] [output_channel:number]',
    does: 'turn an output on; amount in s (sec), % (pwm), ml (vol)',
  },
  output_on_off: {
    takes: 'output_id state [output_type] [amount:number] [output_channel:number]',
    does: 'turn an output on or off',
  },
  output_sec_currently_on: { takes: 'output_id [output_channel:number]', does: 'seconds since it went on' },
  output_setup: { takes: 'action output_id', does: 'Add, Modify or Delete an output in the daemon' },
  output_state: { takes: 'output_id [output_channel:number]', does: 'on, off, a duty cycle in %, or unknown' },
  output_states_all: { takes: '', does: 'the state of every channel' },
  override_release: { takes: 'output_id [output_channel:number]', does: 'end a manual override' },
  past_measurements: { takes: 'device_id measurement_id past_s:number', does: 'the readings of the last seconds' },
  pid_get: { takes: 'pid_id setting', does: 'setpoint, error, integrator, derivator, kp, ki or kd of a PID' },
  pid_hold: { takes: 'pid_id', does: 'keep the output of a PID as it is' },
  pid_mod: { takes: 'pid_id', does: 'give a PID its changed settings' },
  pid_pause: { takes: 'pid_id', does: 'pause a PID' },
  pid_resume: { takes: 'pid_id', does: 'let a PID go on' },
  pid_set: { takes: 'pid_id setting value:json', does: 'set setpoint, method, integrator, derivator, kp, ki or kd' },
  ram_use: { takes: '', does: 'memory of the daemon, MB' },
  refresh_daemon_conditional_settings: { takes: 'unique_id', does: 'give a conditional function its changed settings' },
  refresh_daemon_misc_settings: { takes: '', does: 'read the general settings anew' },
  refresh_daemon_trigger_settings: { takes: 'unique_id', does: 'give a trigger its changed settings' },
  terminate_daemon: { takes: '', does: 'stop the daemon in order' },
  trigger_action: { takes: 'action_id [value:json] [debug:switch]', does: 'run one action' },
  trigger_all_actions: { takes: 'function_id [message] [debug:switch]', does: 'run all actions of a function' },
};

type Kind = 'text' | 'number' | 'switch' | 'json';

interface Parameter {
  /** Empty for one that the command line does not give. */
  name: string;
  kind: Kind;
  isOptional: boolean;
}

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** The arguments of a call from words of a command line: in order, or as `name=value`. Throws an Error that says what is wrong. */
export function argumentsOf(name: OperationName, words: readonly string[]): unknown[] {
  const parameters = parametersOf(name);
  const given = new Map<string, string>();
  const unnamed = parameters.filter((parameter) => parameter.name !== '');
  for (const word of words) {
    const named = unnamed.find((parameter) => word.startsWith(`${parameter.name}=`));
    const parameter = named ?? unnamed.find((one) => !given.has(one.name));
    if (parameter === undefined) throw new Error(`"${word}" is too much`);
    if (given.has(parameter.name)) throw new Error(`${parameter.name} is given twice`);
    given.set(parameter.name, named ? word.slice(named.name.length + 1) : word);
  }
  return parameters.map((parameter) => valueOf(parameter, given.get(parameter.name)));
}

function parametersOf(name: OperationName): Parameter[] {
  const words = operations[name].takes.split(' ').filter(Boolean);
  return words.map((word) => {
    const [parameter = '', kind = 'text'] = word.replace(/^-$|[[\]]/g, '').split(':');
    return { name: parameter, kind: kind as Kind, isOptional: /^[[-]/.test(word) }; // the table has no others, a test holds it
  });
}

function valueOf({ name, kind, isOptional }: Parameter, word: string | undefined): unknown {
  if (word === undefined) {
    if (isOptional) return undefined;
    throw new Error(`${name} is missing`);
  }
  if (kind === 'number') return numberOf(name, word);
  if (kind === 'switch') return switchOf(name, word);
  if (kind === 'json') return jsonOf(name, word);
  return word;
}

function numberOf(name: string, word: string): number {
  const value = Number(word);
  if (word.trim() !== '' && Number.isFinite(value)) return value;
  throw new Error(`${name} is a number, not "${word}"`);
}

function switchOf(name: string, word: string): boolean {
  if (['on', 'true', 'yes', '1'].includes(word)) return true;
  if (['off', 'false', 'no', '0'].includes(word)) return false;
  throw new Error(`${name} is on or off, not "${word}"`);
}

/** A word that is no JSON, such as the id of a method, is a text. */
function jsonOf(name: string, word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    if (/^[[{]/.test(word)) throw new Error(`${name} is no JSON`);
    return word;
  }
}

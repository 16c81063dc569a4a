/**
 * What our own drivers and stores say of a fault. The English is what is logged, stored with an alarm and sent to other
 * programs; a page reads its code and values back from it and words them in its language. What a device or a library
 * said is text in `{said}`, and stays as it is. Sentences here never change, as stored ones are read by them; better
 * words go to `resources/device-text`.
 */
const words = {
  // The first that fits is read.
  shows_nothing: 'the device shows nothing',
  display_silent: 'the display did not answer in time',
  input_stopped: 'the input was stopped',
  no_readings: 'the device gives no readings',
  turn_lost: 'it hung, and lost its turn at the output that it shares',
  output_not_on: 'its output cannot be switched on: {said}',
  output_not_off: 'its output cannot be switched off: {said}',
  given_up: 'given up for a more urgent command',
  dead_man_silent: 'its dead-man timer was not acknowledged in time',
  no_commands: 'the device takes no commands',
  broker_password: 'the password of the broker is not known',
  no_topic: 'no topic for channel {channel}',
  state_unknown: 'the device says that it is in a state that nobody understands',
  state_said: 'the device says that it is {said}',
  no_register: 'no register for channel {channel}',
  values_short: '{count} of {length} values came back',
  discrete_input: 'channel {channel} is a discrete input',
  input_register: 'channel {channel} is an input register',
  bus_closed: 'the bus is closed',
  channel_no_commands: 'channel {channel} takes no commands',
  one_colour: 'its light has one colour',
  i2c_missing: 'i2ctransfer is not there: install i2c-tools on this machine',
  forecast_other: 'the forecast service answered something else',
  forecast_status: 'the forecast service answered {status}',
  no_weather_folder: 'there is no folder of weather here',
  weather_unread: 'weather/{name} of the data directory cannot be read: {said}',
  weather_malformed: 'weather/{name} {said}',
  no_driver: 'there is no driver "{name}"',
  no_search: '"{name}" is no driver that searches',
  kernel_unread: 'the kernel cannot read {path}',
  machine_silent: 'this machine tells nothing of this',
  no_temperature: 'the sensor says no temperature that it can measure',
  both_relays: 'both relays of a motor',
  part_measures_nothing: 'a simulated {part} measures nothing',
  kept_for_now: 'kept, for now {said}',
  own_switch: 'a controller cannot switch itself',
  own_command: 'a controller cannot command itself',
  took_longer: 'took longer than {s} s',
  too_many_messages: 'more than {n} notes and messages a minute',
  resting: 'it must stay off for a while',
  stopped_all: 'the emergency stop is active',
  not_fresh: 'no fresh reading of {name}',
  interlocked: 'interlock "{name}"',
  above_limit: '{said} is above the limit of {limit} {unit}',
  below_limit: '{said} is below the limit of {limit} {unit}',
  wind: 'the wind',
  rain: 'rain',
  air_inside: 'the air inside',
  former_state_not_kept: 'its former state could not be kept on disk',
  pid_blind: 'its measurement or its setpoint is missing, bad or too old',
  trigger_blind: 'its measurement is missing, bad or too old',
  function_blind: 'a measurement is missing, bad, too old or of another unit',
  no_duty: 'the method gives no duty cycle',
  value_missing: 'line {line}, column {column}: a value is missing',
  too_many_steps: 'line {line}, column {column}: it took too many steps',
  statement_fault: 'line {line}, column {column}: {said}',
  refuses_all: 'it refuses every command',
  never_answers: 'it never answers',
  no_answer_s: 'no answer within {s} s',
  no_answer_ms: 'no answer within {ms} ms',
  not_connected: 'not connected',
  not_connected_yet: 'not connected yet',
  not_connected_in_time: 'the device could not be connected within {s} s',
  let_go: 'the device was let go',
  no_broker: 'no connection to the broker {host}: {said}',
  no_connection: 'no connection to {host}: {said}',
  connection_lost: 'the connection was lost',
  connection_closed: 'the connection was closed',
  broker_silent: 'it gave no answer',
  broker_refuses: 'the broker refuses {topic}: {said}',
  offline: 'the device is offline, as its availability says',
  silent_on: 'the device said nothing on {topic}',
  silent_for: 'it has said nothing for {s} s',
  not_sent_in_time: 'the time was up before it could be sent',
  device_busy: 'the device was busy until the time was up',
  bus_busy: 'the bus was busy until the time was up',
  bus_empty: 'no sensor answers on the bus',
  units_silent: 'connected, but no unit behind it answers',
  bus_silent: 'the bus did not answer in time',
  relay_silent: 'the relay did not answer in time',
  state_not_read: 'the state could not be read in time',
  other_number: 'the device acknowledged {value} and holds {said}',
  other_state: 'the device acknowledged {value} and says {said}',
  other_command: 'the device acknowledged something that it was not told',
  no_number: 'the answer holds no number where one should be',
  http_status: 'the device says HTTP {status}',
  http_elsewhere: 'the device points elsewhere (HTTP {status})',
  checksum: 'the checksum of the sensor is wrong',
  line_shorted: 'the line says nothing but zeros, as a shorted one does',
  no_file: 'there is no {path}',
  file_late: '{path} could not be read in time',
  space_free: '{gigabytes} GB free for measurements',
  space_taken: 'measurements take {gigabytes} GB',
  measurements_not_kept: 'measurements are not kept: {said}',
  settings_not_read: 'orangery.db cannot be read ({said}): control goes by what was read last',
  // Why the control service was started again.
  daemon_hung: 'the daemon hung',
  daemon_code: 'the daemon ended with code {value}',
  daemon_signal: 'the daemon ended with a signal',
  daemon_ended: 'the daemon ended',
  told_to_end: 'terminate_daemon: {name}',
  states_not_kept: 'states, overrides and alarms are not written down: {said}',
} as const;

export type DeviceWord = keyof typeof words;
export const deviceWords = Object.keys(words) as DeviceWord[]; // of a const object

type PlacesIn<Text> = Text extends `${string}{${infer Place}}${infer Rest}` ? Place | PlacesIn<Rest> : never;
type ValuesOf<Word extends DeviceWord> = Readonly<Record<PlacesIn<(typeof words)[Word]>, string | number>>;

/** The English of a fault. */
export function deviceSays<Word extends DeviceWord>(
  word: Word,
  ...[values]: [PlacesIn<(typeof words)[Word]>] extends [never] ? [] : [values: ValuesOf<Word>]
): string {
  const given: Readonly<Record<string, string | number>> = values ?? {};
  return words[word].replace(/\{(\w+)\}/g, (_, place: string) => String(given[place]));
}

const patterns = deviceWords.map((word) => {
  const escaped = words[word].replaceAll(/[.*+?^$()[\]\\|]/g, String.raw`\$&`);
  return { word, pattern: new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>.+?)')}$`, 's') };
});

/** The fault that was said so; null for the words of others. */
export function readDeviceWords(message: string): { word: DeviceWord; values: Record<string, string> } | null {
  for (const { word, pattern } of patterns) {
    const found = pattern.exec(message);
    if (found !== null) return { word, values: { ...found.groups } };
  }
  return null;
}

/** A text of `resources/device-text` in the language of the reader, or what stands between a name and what it says. */
type SayWord = (key: `said.${DeviceWord}` | 'ui.colon', named?: Record<string, string | number>) => string;

/** What a driver or store said of a fault, in the language of the reader; the words of a device itself as they are. */
export function deviceWordsText(message: string, t: SayWord): string {
  const read = readDeviceWords(message);
  if (read === null) return namedText(message, t);
  const { said } = read.values;
  // The reason of a lost connection is itself one of these.
  return t(`said.${read.word}`, said === undefined ? read.values : { ...read.values, said: deviceWordsText(said, t) });
}

/** "Lamps: it never answers", as a controller says which of its actions failed; the name stays. */
function namedText(message: string, t: SayWord): string {
  const [, name, said = ''] = /^(.+?): (.+)$/s.exec(message) ?? [];
  return readDeviceWords(said) === null ? message : `${name}${t('ui.colon')}${deviceWordsText(said, t)}`;
}

/**
 * What our own drivers and stores say of a fault. The English is what is logged, stored with an alarm and sent to other
 * programs; a page reads its code and values back from it and words them in its language. What a device or a library
 * said is text in `{said}`, and stays as it is.
 */
const words = {
  refuses_all: 'it refuses every command',
  never_answers: 'it never answers',
  no_answer_s: 'no answer within {s} s',
  no_answer_ms: 'no answer within {ms} ms',
  not_connected: 'not connected',
  not_connected_yet: 'not connected yet',
  not_connected_in_time: 'the device could not be connected within {s} s',
  let_go: 'the device was let go',
  // The first that fits is read.
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
  space_free: '{gigabytes} GB free for measurements',
  space_taken: 'measurements take {gigabytes} GB',
  measurements_not_kept: 'measurements are not kept: {said}',
  settings_not_read: 'orangery.db cannot be read ({said}): control goes by what was read last',
  // Why the control service was started again.
  daemon_hung: 'the daemon hung',
  daemon_code: 'the daemon ended with code {value}',
  daemon_signal: 'the daemon ended with a signal',
  daemon_ended: 'the daemon ended',
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

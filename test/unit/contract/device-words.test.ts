import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deviceSays, deviceWords, readDeviceWords } from '../../../server/contract/device-words.ts';

/** For the places of every sentence. */
const values = {
  ...{ s: '2.5', ms: '40', host: '10.0.0.7:502', said: 'connect ECONNREFUSED (1)', topic: 'farm/valve/+', value: 'on' },
  ...{ status: '404', path: '/sys/bus/w1/devices/28-0', gigabytes: '1.5', channel: '3', count: '1', length: '2' },
  ...{ name: 'probe-7', part: 'heater', n: '60', limit: '12', unit: 'm/s', line: '4', column: '9' },
};

it.each(deviceWords)('%s is read back from its sentence', (word) => {
  const sentence = (deviceSays as (word: string, given: object) => string)(word, values); // takes more than its places
  expect(sentence).not.toMatch(/[{}]|undefined/);
  const read = readDeviceWords(sentence);
  expect(read?.word).toBe(word);
  for (const [place, value] of Object.entries(read?.values ?? {})) {
    expect(value).toBe(values[place as keyof typeof values]); // a place of a sentence
  }
});

it('what is stored of a state that is unknown is not taken for the words of the device', () => {
  const stored = 'the device says that it is in a state that nobody understands';
  expect(readDeviceWords(stored)).toEqual({ word: 'state_unknown', values: {} });
});

it.each(['', 'illegal data address', 'the device refused: it never answers', 'there is no'])(
  '%j is what something else said',
  (message) => expect(readDeviceWords(message)).toBeNull(),
);

it('every fault that a driver, a safety rule or a controller words itself is one of the words', () => {
  const daemon = join(import.meta.dirname, '../../../server/daemon');
  // As an error of a driver, a rule that holds an output, or the end of an action that failed.
  const own =
    /new DriverError\(\s*'\w+',\s*['"`]|\{ rule(?:: '\w+')?, message: ['"`]|outcome: '(?:failed|blocked)', message: ['"`]\w/;
  const files = globSync('**/*.ts', { cwd: daemon });
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => own.test(readFileSync(join(daemon, file), 'utf8')))).toEqual([]);
});

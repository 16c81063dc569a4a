import { describe, expect, it } from 'vitest';
import { createTranslations, messagesOf, type Translate } from '../../../../renderer/i18n/index.ts';
import { channelName, fullChannelName } from '../../../../renderer/ui/channel-name.ts';
import { driverList, kindsOf, type DriverName } from '../../../../server/contract/drivers/index.ts';
import { simulatedActuators, simulatedParts } from '../../../../server/contract/drivers/simulated.ts';
import { languages, type Language } from '../../../../server/contract/language.ts';

async function speaking(language: Language): Promise<Translate> {
  const { t } = createTranslations(await messagesOf(language)).global;
  return (key, named = {}) => t(key, named);
}

const spoken = await Promise.all(languages.map(async (language) => [language, await speaking(language)] as const));

/** Of each driver with channels: options that between them give every kind of name it gives. */
const samples: Record<Exclude<DriverName, 'hd44780' | 'virtual'>, readonly Record<string, unknown>[]> = {
  simulated: simulatedParts.flatMap((part) => [
    { part },
    ...(simulatedActuators[part] === 'dimmer' ? [{ part, motor_s: 60 }] : []),
  ]),
  modbus: [{ host: 'plc.farm', unit_id: 1, registers: [{ channel: 3, table: 'holding', address: 0 }] }],
  mqtt: [
    { host: 'broker.farm', values: [{ channel: 1, topic: 'a' }] },
    { host: 'broker.farm', actuators: [{ channel: 1, kind: 'switch', command_topic: 'a' }] },
  ],
  http: [{ base_url: 'http://plc.farm', channels: [{ channel: 1, read_path: '/a', command_path: '/b' }] }],
  onewire: [{}],
  system: [{}],
  forecast: [{}],
};

const given = driverList.flatMap(([name, driver]) => {
  const kinds = kindsOf(driver).filter((kind) => kind !== 'lcd');
  return kinds.map((kind) => {
    const options: readonly Record<string, unknown>[] =
      Object.entries(samples).find(([one]) => one === name)?.[1] ?? [];
    const names = options.flatMap((one) => (driver[kind]?.(one) ?? []).map((offer) => offer.name));
    return { driver: name, kind, names };
  });
});

/** What an English reader would see as English: a quantity's symbol and that of a processor are the same everywhere. */
const hasEnglish = (text: string): boolean => /[a-z]{2}|\./i.test(text.replaceAll(/CPU|CO₂/g, ''));

describe.each(given)('channels of $driver as $kind', ({ driver, kind, names }) => {
  it('have names to look at', () => {
    expect(names.length).toBeGreaterThan(0);
  });

  it.each(spoken)('are named in %s', (language, t) => {
    const shown = names.map((name) => channelName({ kind, driver }, { name }, t));
    if (language === 'en') expect(shown.filter((name) => name.includes('.'))).toEqual([]);
    else expect(shown.filter(hasEnglish)).toEqual([]);
  });
});

describe('a name that a person gave', () => {
  it.each(spoken)('stays as written in %s', (_, t) => {
    expect(channelName({ kind: 'input', driver: 'modbus' }, { name: 'Temperature' }, t)).toBe('Temperature');
    expect(channelName({ kind: 'input', driver: 'onewire' }, { name: 'Bench 3' }, t)).toBe('Bench 3');
    expect(channelName({ kind: 'output', driver: 'modbus' }, { name: 'Gate open' }, t)).toBe('Gate open');
    expect(channelName({ kind: 'input', driver: 'toString' }, { name: 'P' }, t)).toBe('P');
  });
});

it('is left out behind the name of a device whose only channel merely counts', async () => {
  const t = await speaking('en');
  const named = (channels: string[]) =>
    fullChannelName({ kind: 'input', driver: 'modbus', name: 'Soil 2', channels }, { name: channels[0] ?? '' }, t);
  expect([named(['Channel 0']), named(['Channel 0', 'Channel 1']), named(['Bed'])]).toEqual([
    'Soil 2',
    'Soil 2 · Channel 0',
    'Soil 2 · Bed',
  ]);
});

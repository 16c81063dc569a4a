import type { SimulatedOptions, SimulatedPart } from '../../contract/drivers/simulated.ts';
import type { Input, InputChannel } from '../../contract/input.ts';
import type { Language } from '../../contract/language.ts';
import type { Output } from '../../contract/output.ts';
import type { SimulatedGreenhouse } from '../../contract/preset.ts';
import { deviceNames } from './device-names.ts';
import { newInput } from './input.ts';
import { newOutput } from './output.ts';

const longestName = 200;

/** Names that are not sent are made in the language of the site: a name is read by everybody there, on any page. */
interface MadeAs extends Pick<SimulatedGreenhouse, 'part_names' | 'measurement_names'> {
  language: Language;
  /** Begins the name of each device. */
  name: string;
  options: Omit<SimulatedOptions, 'part'>;
}

export function simulatedInput(part: SimulatedPart, made: MadeAs): Input {
  const input = newInput({ ...asked(part, made), period_s: 1 });
  const words = deviceNames[made.language].measurement;
  const named = ({ measurement, name: offered }: InputChannel) =>
    made.measurement_names?.[measurement] ?? inLanguage(made, words[measurement], offered);
  return { ...input, channels: input.channels.map((channel) => ({ ...channel, name: named(channel) })) };
}

export function simulatedOutput(part: SimulatedPart, made: MadeAs): Output {
  const output = newOutput(asked(part, made));
  const words = deviceNames[made.language].part;
  const named = (offered: string) => made.part_names?.[part] ?? inLanguage(made, words[part], offered);
  return { ...output, channels: output.channels.map((channel) => ({ ...channel, name: named(channel.name) })) };
}

/** In English as the driver offers it, which every page reads in its own language. */
function inLanguage({ language }: MadeAs, word: string, offered: string): string {
  return language === 'en' ? offered : word;
}

function asked(part: SimulatedPart, { name, language, part_names, options }: MadeAs) {
  const whole = `${name} ${part_names?.[part] ?? afterName(deviceNames[language].part[part])}`;
  return {
    name: whole.slice(0, longestName),
    driver: 'simulated',
    options: storedOptions({ ...options, part }),
  };
}

/** "Side vent" as in "North side vent"; an abbreviation stays. */
function afterName(word: string): string {
  return /^[A-Z][a-z]/.test(word) ? word.charAt(0).toLowerCase() + word.slice(1) : word;
}

/** As they are stored: those that are given. */
export function storedOptions(options: SimulatedOptions): Output['options'] {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Output['options']; // its schema has nothing but JSON
}

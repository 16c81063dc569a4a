import type { SimulatedOptions, SimulatedPart } from '../../contract/drivers/simulated.ts';
import type { Input, InputChannel } from '../../contract/input.ts';
import type { Output } from '../../contract/output.ts';
import type { SimulatedGreenhouse } from '../../contract/preset.ts';
import { newInput } from './input.ts';
import { newOutput } from './output.ts';

/** What the parts are called where nobody says it in a language of their own. */
const titles: Partial<Record<SimulatedPart, string>> = {
  indoor: 'indoor climate',
  weather: 'weather',
  heater: 'heater',
  fan: 'fan',
  side_vent: 'side vent',
  roof_vent: 'roof vent',
  co2: 'CO2 supply',
  lighting: 'lighting',
  shade: 'shade curtain',
  screen: 'thermal screen',
  fogger: 'fogger',
  valve: 'irrigation valve',
};

const longestName = 200;

interface MadeAs extends Pick<SimulatedGreenhouse, 'part_names' | 'measurement_names'> {
  /** Begins the name of each device. */
  name: string;
  options: Omit<SimulatedOptions, 'part'>;
}

export function simulatedInput(part: SimulatedPart, made: MadeAs): Input {
  const input = newInput({ ...asked(part, made), period_s: 1 });
  const named = ({ measurement, name: offered }: InputChannel) => made.measurement_names?.[measurement] ?? offered;
  return { ...input, channels: input.channels.map((channel) => ({ ...channel, name: named(channel) })) };
}

export function simulatedOutput(part: SimulatedPart, made: MadeAs): Output {
  const output = newOutput(asked(part, made));
  const named = made.part_names?.[part];
  if (named === undefined) return output;
  return { ...output, channels: output.channels.map((channel) => ({ ...channel, name: named })) };
}

function asked(part: SimulatedPart, { name, part_names, options }: MadeAs) {
  const whole = `${name} ${part_names?.[part] ?? titles[part] ?? part}`;
  return {
    name: whole.slice(0, longestName),
    driver: 'simulated',
    options: storedOptions({ ...options, part }),
  };
}

/** As they are stored: those that are given. */
export function storedOptions(options: SimulatedOptions): Output['options'] {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Output['options']; // its schema has nothing but JSON
}

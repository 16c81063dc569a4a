import { z } from 'zod';
import { simulatedPart } from './drivers/simulated.ts';
import { endpoint } from './endpoint.ts';
import { input } from './input.ts';
import { lcd } from './lcd.ts';
import { output } from './output.ts';
import { measurementName } from './units.ts';

const name = z.string().trim().min(1).max(100);

export const simulatedGreenhouse = z.strictObject({
  name: name.optional().describe('Begins the name of each device'),
  part_names: z
    .partialRecord(simulatedPart, name)
    .optional()
    .describe('What a part is called; as in the language of the site when absent'),
  measurement_names: z
    .partialRecord(measurementName, name)
    .optional()
    .describe('The same for the channels of its sensors, by what they measure'),
  speed: z
    .number()
    .min(1)
    .max(600)
    .optional()
    .describe('How many times faster than real the model and its weather run; 1 when absent'),
});
export type SimulatedGreenhouse = z.infer<typeof simulatedGreenhouse>;

export const presetEndpoints = {
  simulatedGreenhouse: endpoint({
    method: 'POST',
    path: '/api/settings/presets/simulated_greenhouse',
    tag: 'presets',
    summary: 'Make the devices of a simulated greenhouse',
    access: 'edit_controllers',
    body: simulatedGreenhouse,
    answer: z.strictObject({ inputs: z.array(input), outputs: z.array(output), lcds: z.array(lcd) }),
    hasNoAddress: true,
    statuses: [201],
  }),
};

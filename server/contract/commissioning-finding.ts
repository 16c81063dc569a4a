import { z } from 'zod';
import { measured } from './quantity.ts';

/** What a check can find; `resources/commissioning-text` says each in every language. */
export const findingCodes = [
  'plausible',
  'implausible',
  'nothing_heard',
  'sensor_gone',
  'flat',
  'stuck',
  'swapped',
  'reversed_sensor',
  'gain',
  'offset',
  'unbalanced',
  'reads_too_seldom',
  'not_moved_clearly',
  'follows',
  'weak',
  'stays_on',
  'may_stay_on',
  'either',
  'too_uncertain',
  'needs_difference',
  'sensor_too_slow',
  'sensor_doubtful',
  'answered',
  'answered_by_other',
  'answered_by_twin',
  'says_it_moved',
  'seen_by_none',
  'no_difference',
  'wrong_output',
  'wrong_house',
  'wrong_way',
  'restless',
  'no_answer',
  'sensor_stuck',
  'cannot_tell',
  'held',
  'must_rest',
  'not_driven',
  'stopped',
  'commanded',
  'disturbed',
  'not_moved',
  'no_reply',
  'refused',
  'unreachable',
  'device_gone',
  'fault',
  'aborted_before',
  'aborted_meanwhile',
  'not_back',
  // Why a check as a whole ended:
  'aborted',
  'emergency_stop',
  'facility_deleted',
  'daemon_stopped',
  'daemon_restarted',
  'not_judged',
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** Words that stand in `measured` and `expected` where no figure can. */
export const checkWords = [
  'free',
  'off',
  'on',
  'seeing_sensor',
  'difference',
  'own_device',
  'own_place',
  'nobody_else',
  'nobody',
  'somebody',
  'confirmed',
  'pending',
  'unknown',
  'failed',
  'blocked',
  'emergency_stop',
  'safety',
  'manual',
  'automatic',
] as const;
export type CheckWord = (typeof checkWords)[number];

export const findingQuantity = z.enum([
  'temp',
  'humidity',
  'vapour',
  'co2',
  'light',
  'flow',
  'pressure',
  'soil_moisture',
]);

/** What was found, for programs and for every language; its sentence has a place for each member beside the code. */
export const finding = z
  .strictObject({
    code: z.enum(findingCodes),
    name: z.string().optional().describe('Sensor or actuator that it is about, several with commas'),
    other: z.string().optional().describe('A second one'),
    by: z.string().optional().describe('Who did it: a user, a program, or one of the words of checks'),
    check: z.string().optional().describe('Code of the test that it rests on'),
    quantity: findingQuantity.optional(),
    value: measured('In unit').optional(),
    unit: z.string().optional(),
    expected: z.string().optional().describe('What the value was held against'),
    state: z.string().optional().describe('Of an output: on, off or a figure'),
    detail: z.string().optional().describe('What the device or its driver said, in its own words'),
  })
  .meta({ id: 'finding' });
export type Finding = z.infer<typeof finding>;

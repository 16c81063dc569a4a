import { z } from 'zod';
import type { ControllerFault, ControllerReference } from './controller-kind.ts';
import { severity } from './facility-live.ts';
import { uuid } from './identifier.ts';
import { functionCommands } from './functions/definition.ts';
import { lcdColor } from './lcd.ts';
import { outcome, outputRequest, outputRef, type Outcome } from './output.ts';
import { settable } from './quantity.ts';
import { reason } from './reason.ts';
import { timestamp } from './time.ts';
import { why } from './refusal-reason.ts';

/** The name by which statements use a condition or an action. */
export const statementName = z
  .string()
  .max(64, { abort: true })
  .regex(/^[A-Za-z_]\w*$/, 'must be a name of letters, digits and _, beginning with none of the digits')
  .describe('By which a statement calls it');

const base = { unique_id: uuid, name: statementName };
const { state, duration_s, duty_cycle_pct, value, volume_ml, min_off_s } = outputRequest.shape;
const target_id = uuid.describe('Notification target that it goes to');
const text = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .describe('{value} stands for the number it was run with, {because} for the rule with its numbers');
const keep_s = (otherwise: string) =>
  z.number().min(10).max(259_200).describe(`Given up after so long, in s; ${otherwise} when absent`).optional();

/**
 * What a controller does when it acts. A number or boolean that comes with the call replaces the action's own value.
 */
export const action = z.discriminatedUnion('kind', [
  z.strictObject({
    ...base,
    kind: z.literal('output').describe('Commands an output as an automatic command'),
    ...outputRef.shape,
    state,
    duration_s,
    duty_cycle_pct,
    value,
    volume_ml,
    min_off_s,
  }),
  z.strictObject({
    ...base,
    kind: z.literal('controller').describe('Has a controller run or stop'),
    controller_id: uuid,
    activate: z.boolean(),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('pid').describe('Tells a PID to hold, pause or go on'),
    pid_id: uuid,
    command: z.enum(['hold', 'pause', 'resume']),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('setpoint').describe('Gives a PID another setpoint while it runs, without a jump'),
    pid_id: uuid,
    setpoint: settable.describe('In the unit of its measurement, -1e15 to 1e15'),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('method').describe('Has a PID follow a method while it runs, without a jump'),
    pid_id: uuid,
    method_id: uuid,
  }),
  z.strictObject({
    ...base,
    kind: z.literal('command').describe('Has a function look at once or begin anew, where its kind can do so'),
    function_id: uuid,
    command: z.enum(functionCommands),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('alarm').describe('Raises an alarm of the controller, or ends it where raise is false'),
    severity,
    text: z.string().trim().min(1).max(200),
    raise: z.boolean(),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('note').describe('Writes a note'),
    text,
    category: z.string().trim().min(1).max(64).describe('Any word, e.g. harvest').optional(),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('message').describe('Sends a message to a notification target of any kind'),
    target_id,
    text,
    keep_s: keep_s('a day'),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('mqtt').describe('Publishes on the broker of a notification target'),
    target_id,
    topic: z
      .string()
      .min(1)
      .max(500, { abort: true })
      .regex(/^[^+#\0]+$/, 'must be a topic without wildcards')
      .describe('That of the target when absent')
      .optional(),
    payload: text.describe('As text of an action; the cause as JSON when absent').optional(),
    keep_s: keep_s('5 minutes'),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('webhook').describe('Calls the address of a notification target with the cause as JSON'),
    target_id,
    text: text.optional(),
    keep_s: keep_s('5 minutes'),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('lcd').describe('Lights, colours, flashes or resets a display'),
    lcd_id: uuid,
    does: z.enum(['light_on', 'light_off', 'flash_on', 'flash_off', 'color', 'reset']),
    color: lcdColor.optional(),
  }),
]);
export type Action = z.infer<typeof action>;
export type ActionKind = Action['kind'];
export type ActionOf<Kind extends ActionKind> = Extract<Action, { kind: Kind }>;

/** How an action ended, like a command; pending means that it was handed over and continues by itself. */
export interface ActionResult {
  outcome: Outcome;
  message: string;
}

/** One of several actions that ran, and how it ended. */
export const actionOutcome = z.strictObject({
  action_id: uuid,
  name: z.string(),
  kind: z.string(),
  outcome,
  message: z.string(),
});
export type ActionOutcome = z.infer<typeof actionOutcome>;

/** The last run of a controller's actions. */
export const actionRun = z.strictObject({
  at: timestamp,
  because: z.string().max(500).describe('The rule with its numbers, in English'),
  reason: reason.describe('The same as data'),
  results: z.array(actionOutcome),
});
export type ActionRun = z.infer<typeof actionRun>;

/** Whether it ended without a known failure. */
export function isWell({ outcome }: Pick<ActionResult, 'outcome'>): boolean {
  return outcome !== 'failed' && outcome !== 'blocked';
}

/** Contradictions within single actions. */
export function actionFaults(actions: readonly Action[]): ControllerFault[] {
  return actions.flatMap((one, index) =>
    one.kind === 'lcd' && one.does === 'color' && one.color === undefined
      ? [{ path: `actions[${index}].color`, ...why('colour_needed') }]
      : [],
  );
}

/** The kind of target that an action needs; null for any. */
export const targetOf = { message: null, mqtt: 'mqtt', webhook: 'webhook' } as const;

/** What actions refer to and must exist. */
export function actionReferences(actions: readonly Action[]): ControllerReference[] {
  return actions.flatMap((one, index): ControllerReference[] => {
    const path = `actions[${index}]`;
    if (one.kind === 'output')
      return [{ path: `${path}.output_id`, to: 'output', id: one.output_id, channel: one.channel }];
    if ('lcd_id' in one) return [{ path: `${path}.lcd_id`, to: 'controller', id: one.lcd_id, kind: 'lcd' }];
    if ('target_id' in one)
      return [{ path: `${path}.target_id`, to: 'target', id: one.target_id, kind: targetOf[one.kind] }];
    if (one.kind === 'command')
      return [{ path: `${path}.function_id`, to: 'controller', id: one.function_id, kind: 'function' }];
    if (!('pid_id' in one)) return [];
    const pid = { path: `${path}.pid_id`, to: 'controller', id: one.pid_id, kind: 'pid' } as const;
    if (one.kind !== 'method') return [pid];
    return [pid, { path: `${path}.method_id`, to: 'controller', id: one.method_id, kind: 'method' }];
  });
}

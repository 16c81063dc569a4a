import { z } from 'zod';
import type { ControllerReference } from './controller-kind.ts';
import { severity } from './facility-live.ts';
import { uuid } from './identifier.ts';
import { outputRequest, outputRef } from './output.ts';
import { settable } from './quantity.ts';

/** By which statements call conditions and actions. */
export const statementName = z
  .string()
  .max(64, { abort: true })
  .regex(/^[A-Za-z_]\w*$/, 'must be a name of letters, digits and _, beginning with none of the digits')
  .describe('By which a statement calls it');

const base = { unique_id: uuid, name: statementName };
const { state, duration_s, duty_cycle_pct, value, volume_ml, min_off_s } = outputRequest.shape;

/** What a controller does when it acts. A number or truth that comes with it takes the place of what the action says itself. */
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
    kind: z.literal('alarm').describe('Raises an alarm of the controller, or ends it where raise is false'),
    severity,
    text: z.string().trim().min(1).max(200),
    raise: z.boolean(),
  }),
]);
export type Action = z.infer<typeof action>;
export type ActionKind = Action['kind'];
export type ActionOf<Kind extends ActionKind> = Extract<Action, { kind: Kind }>;

/** How an action ended. */
export interface ActionResult {
  isDone: boolean;
  message: string;
}

/** What actions name that must be there. */
export function actionReferences(actions: readonly Action[]): ControllerReference[] {
  return actions.flatMap((one, index): ControllerReference[] => {
    const path = `actions[${index}]`;
    if (one.kind === 'output')
      return [{ path: `${path}.output_id`, to: 'output', id: one.output_id, channel: one.channel }];
    if (!('pid_id' in one)) return [];
    const pid = { path: `${path}.pid_id`, to: 'controller', id: one.pid_id, kind: 'pid' } as const;
    if (one.kind !== 'method') return [pid];
    return [pid, { path: `${path}.method_id`, to: 'controller', id: one.method_id, kind: 'method' }];
  });
}

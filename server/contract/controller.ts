import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { settable } from './quantity.ts';
import { actionOutcome } from './action.ts';
import { uuid } from './identifier.ts';

export const controllerActivation = z.strictObject({ controller_id: uuid, is_activated: z.boolean() });
export type ControllerActivation = z.infer<typeof controllerActivation>;

export const controllerEndpoints = {
  activate: endpoint({
    method: 'POST',
    path: '/api/controllers/:controller_id',
    tag: 'controllers',
    summary:
      'Activate or deactivate what the daemon runs; it stays so over restarts. A deactivated output is driven safe',
    access: 'edit_controllers',
    budget: 'command',
    goesSafe: ({ activate }) => !activate,
    maxBodyBytes: 16 * 1024,
    params: z.strictObject({ controller_id: uuid }),
    body: z.strictObject({ activate: z.boolean() }),
    answer: controllerActivation,
    statuses: [200],
    errors: ['not_found', 'command_failed', 'command_unknown', 'daemon_unreachable'],
  }),
  act: endpoint({
    method: 'POST',
    path: '/api/controllers/:controller_id/actions',
    tag: 'controllers',
    summary: 'Run one action of a trigger or conditional function at work, or all of them, now; says how each ended',
    access: 'edit_controllers',
    budget: 'command',
    maxBodyBytes: 16 * 1024,
    params: z.strictObject({ controller_id: uuid }),
    body: z.strictObject({
      action_id: uuid.optional().describe('All of them, in their order, when absent'),
      value: z
        .union([settable, z.boolean()])
        .optional()
        .describe('What a statement would run it with; needs action_id'),
    }),
    answer: z.strictObject({ controller_id: uuid, results: z.array(actionOutcome) }),
    statuses: [200],
    errors: ['not_found', 'unknown_reference', 'not_active', 'command_failed', 'command_unknown', 'daemon_unreachable'],
  }),
};

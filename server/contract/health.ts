import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const healthProblem = z
  .enum(['storage_full', 'storage_readonly', 'storage_busy', 'storage_failed'])
  .describe('Why nothing can be stored; what was done meanwhile is noted in memory and stored later');
export type HealthProblem = z.infer<typeof healthProblem>;

export const health = z.strictObject({
  status: z
    .enum(['up', 'degraded'])
    .describe('up: requests are served and the daemon answers; degraded: the same, with the problems that are named'),
  problems: z.array(healthProblem).optional(),
});
export type Health = z.infer<typeof health>;

export const healthEndpoints = {
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    tag: 'health',
    summary: 'Whether the service is up: 200, or 503 while it is starting or the control daemon does not answer',
    access: 'public',
    budget: 'health',
    answer: health,
    statuses: [200],
    errors: ['not_available'],
    anyVersion: true,
  }),
};

import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const healthEndpoints = {
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    tag: 'health',
    summary: 'Whether the service is up: 200, or 503 while it is starting or the control daemon does not answer',
    access: 'public',
    answer: z.strictObject({ status: z.literal('up') }),
    statuses: [200],
    errors: ['not_available'],
    anyVersion: true,
  }),
};

import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const healthEndpoints = {
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    tag: 'health',
    summary: 'Whether the service is up',
    access: 'public',
    answer: z.strictObject({ status: z.enum(['up', 'starting']) }),
    statuses: [200],
    errors: ['starting'],
    anyVersion: true,
  }),
};

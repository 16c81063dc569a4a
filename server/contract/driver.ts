import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const driverDescription = z.strictObject({
  driver: z.string(),
  name: z.string(),
  kinds: z.array(z.enum(['input', 'output', 'lcd'])),
  summary: z.string(),
  options_schema: z.record(z.string(), z.json()).describe('JSON Schema of the options'),
});
export type DriverDescription = z.infer<typeof driverDescription>;

export const driverEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/drivers',
    tag: 'drivers',
    summary: 'List the drivers with the schemas of their options',
    access: 'view_settings',
    answer: z.strictObject({ drivers: z.array(driverDescription) }),
    statuses: [200],
    errors: ['daemon_unreachable'],
  }),
};

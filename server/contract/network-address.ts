import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const networkAddressEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings/network_addresses',
    tag: 'network_addresses',
    summary: 'Under which IPv4 addresses of the local network this machine is reached',
    access: 'view_settings',
    answer: z.strictObject({ addresses: z.array(z.ipv4().meta({ examples: ['192.168.1.20'] })) }),
    statuses: [200],
  }),
};

import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * Server-sent: `event:` is a kind of daemon.ts, `job` (how far a job of the reader is) or `reset` (read everything again),
 * `id:` the daemon's, `data:` the event as JSON.
 */
export const eventEndpoints = {
  stream: endpoint({
    method: 'GET',
    path: '/api/events',
    tag: 'events',
    summary: 'Live events, resumable with Last-Event-ID',
    access: 'view_stats',
    query: z.strictObject({
      kinds: z.string().max(200).optional().describe('Comma-separated kinds; all when absent'),
      last_event_id: z.string().max(100).optional().describe('Where the header cannot be set'),
    }),
    answer: z.string(),
    statuses: [200],
    stream: 'text/event-stream',
  }),
};

import { z } from 'zod';
import { toldEvent } from './daemon.ts';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { revisionNumber } from './quantity.ts';
import { timestamp } from './time.ts';

const besideDaemon = { id: z.string().describe('That of the last event of the daemon'), at: timestamp };
const siteChange = {
  ...besideDaemon,
  state: z.enum(['living', 'in_trash', 'gone']),
  revision: revisionNumber.describe('What it has now; of one that is gone, what it had'),
};

/** A map was made, saved, renamed, trashed, restored or removed: read again what is shown of it. */
export const mapEvent = z.strictObject({ kind: z.literal('map'), ...siteChange, map_uuid: uuid });
export type MapEvent = z.infer<typeof mapEvent>;

/** The same of a facility. */
export const facilityEvent = z.strictObject({
  kind: z.literal('facility'),
  ...siteChange,
  facility_uuid: uuid,
  geo_id: uuid.describe('Its map'),
});
export type FacilityEvent = z.infer<typeof facilityEvent>;

/** Settings of a device of any kind were made, changed or deleted: read again what is shown of it. */
export const deviceEvent = z.strictObject({ kind: z.literal('device'), ...besideDaemon, device_id: uuid });
export type DeviceEvent = z.infer<typeof deviceEvent>;

/** The events that the page listens to; jobs and `reset` have listeners of their own. */
export const pageEvent = z.discriminatedUnion('kind', [...toldEvent.options, mapEvent, facilityEvent, deviceEvent]);
export type PageEvent = z.infer<typeof pageEvent>;
/** All of them, without the schemas. */
const isKind: Record<PageEvent['kind'], true> = {
  measurement: true,
  output: true,
  override: true,
  controller: true,
  emergency_stop: true,
  alarm: true,
  control: true,
  lcd: true,
  commissioning: true,
  daemon: true,
  program: true,
  map: true,
  facility: true,
  device: true,
};
export const pageEventKinds = Object.keys(isKind) as PageEvent['kind'][]; // of a const object

/** A stream that had no other event for so long says that it lives, ms. */
export const heartbeatMs = 10_000;

/**
 * Server-sent: `event:` is a kind of `toldEvent`, `map`, `facility` or `device` (it changed; repeated for an hour to a
 * reader that comes back), `job` (the progress of one of the reader's jobs), `reset` (read everything live again) or
 * `heartbeat` (nothing happened; without an id), `id:` the daemon's, `data:` the event as JSON.
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

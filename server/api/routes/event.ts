import { eventEndpoints, heartbeatMs } from '../../contract/event.ts';
import { dated } from '../../contract/measurement.ts';
import type { EventService, EventStream, ReaderEvent } from '../../services/live/event.ts';
import { defineRoute, type Route } from '../route.ts';

/** How long a client waits before it reconnects. */
const retryMs = 2_000;

export function eventRoutes(events: EventService): Route[] {
  return [
    defineRoute(eventEndpoints.stream, ({ query, header, actor, signal }) => {
      const stream = events.open({
        actor,
        kinds: query.kinds,
        lastEventId: header('last-event-id') ?? query.last_event_id,
        signal,
      });
      return frames(stream);
    }),
  ];
}

/** An event and no comment: a page in a browser does not see comments, and must know a quiet stream from a dead one. */
const heartbeat = 'event: heartbeat\ndata: {}\n\n';

/** The stream in the form of server-sent events (HTML standard, 9.2). */
async function* frames(stream: EventStream): AsyncGenerator<string> {
  try {
    yield `retry: ${retryMs}\n\n`;
    for (let events = await stream.next(heartbeatMs); events !== null; events = await stream.next(heartbeatMs)) {
      yield events.length === 0 ? heartbeat : events.map(frame).join('');
    }
  } finally {
    stream.end();
  }
}

function frame(event: ReaderEvent): string {
  return `event: ${event.kind}\nid: ${event.id}\ndata: ${JSON.stringify(event.kind === 'measurement' ? dated(event) : event)}\n\n`;
}

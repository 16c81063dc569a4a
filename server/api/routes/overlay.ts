import type { Actor } from '../../auth/actor.ts';
import { overlayEndpoints, type OverlaySave } from '../../contract/overlay.ts';
import type { JobRunner } from '../../services/record/job.ts';
import type { OverlayService } from '../../services/map/overlay.ts';
import { matchesEntityTag } from '../entity-tag.ts';
import { defineLargeRoute, defineRoute, RawJson, Reply, type Route } from '../route.ts';

export interface OverlayServices {
  overlays: OverlayService;
  jobs: JobRunner;
}

export function overlayRoutes({ overlays, jobs }: OverlayServices): Route[] {
  return [
    defineRoute(overlayEndpoints.list, async ({ query }) => new RawJson(await overlays.list(query))),
    defineRoute(overlayEndpoints.get, async (request) => {
      // The tag is read before the features: after a save between the two the next request reads again instead of
      // keeping old ones.
      const ETag = overlays.entityTag(request.query.geo_id);
      if (matchesEntityTag(request.header('if-none-match'), ETag)) return new Reply<RawJson>(304, undefined, { ETag });
      return new Reply(200, new RawJson(await overlays.get(request.query)), { ETag });
    }),
    defineRoute(overlayEndpoints.changes, async ({ query }) => new RawJson(await overlays.changes(query))),
    defineLargeRoute(overlayEndpoints.save, async ({ query, body, actor }) => {
      if (query.async === true) {
        const job_id = jobs.begin(actor, {
          kind: 'overlay.save',
          total: 1,
          run: (_report, signal) => saveWhole(overlays, { body, actor, signal }),
        });
        return new Reply(201, { job_id }, { Location: `/api/jobs/${job_id}` });
      }
      if (body instanceof Uint8Array) return new RawJson(await overlays.saveBytes(body, actor));
      return overlays.save(body, actor);
    }),
    defineLargeRoute(overlayEndpoints.delta, async ({ body, actor }) => {
      if (body instanceof Uint8Array) return new RawJson(await overlays.saveDeltaBytes(body, actor));
      return overlays.saveDelta(body, actor);
    }),
  ];
}

interface Saving {
  body: OverlaySave | Uint8Array;
  actor: Actor;
  signal: AbortSignal;
}

/** A job keeps the result itself. */
async function saveWhole(overlays: OverlayService, { body, actor, signal }: Saving): Promise<unknown> {
  if (!(body instanceof Uint8Array)) return overlays.save(body, actor, signal);
  return JSON.parse((await overlays.saveBytes(body, actor, signal)).toString());
}

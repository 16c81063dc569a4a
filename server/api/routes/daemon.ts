import type { Actor } from '../../auth/actor.ts';
import { daemonEndpoints, type DaemonEnd, type DaemonView } from '../../contract/daemon.ts';
import { defineRoute, type Route } from '../route.ts';

interface DaemonServices {
  /** The state of the daemon at the moment. */
  view: () => DaemonView;
  startDaemon: (actor: Actor) => Promise<void>;
}

export function daemonRoutes({ view, startDaemon }: DaemonServices): Route[] {
  return [
    defineRoute(daemonEndpoints.get, () => view()),
    defineRoute(daemonEndpoints.end, () => endOf(view())),
    defineRoute(daemonEndpoints.start, async ({ actor }) => {
      await startDaemon(actor);
      return view();
    }),
  ];
}

function endOf({ state, is_stopped, stopped_by }: DaemonView): DaemonEnd {
  return { state, is_stopped, stopped_by };
}

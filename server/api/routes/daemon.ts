import { daemonEndpoints, type DaemonView } from '../../contract/daemon.ts';
import { defineRoute, type Route } from '../route.ts';

/** `view` gives the state of the daemon at the moment. */
export function daemonRoutes(view: () => DaemonView): Route[] {
  return [defineRoute(daemonEndpoints.get, () => view())];
}

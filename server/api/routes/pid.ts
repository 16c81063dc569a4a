import { pidAutotuneEndpoints } from '../../contract/pid-autotune.ts';
import { pidRehearsalEndpoints } from '../../contract/pid-rehearsal.ts';
import { pidEndpoints } from '../../contract/pid.ts';
import type { PidRehearsalService } from '../../services/device/pid-rehearsal.ts';
import type { PidService } from '../../services/device/pid.ts';
import { defineRoute, type Route } from '../route.ts';

interface PidServices {
  pids: PidService;
  pidRehearsals: Pick<PidRehearsalService, 'run'>;
}

export function pidRoutes({ pids, pidRehearsals }: PidServices): Route[] {
  return [
    defineRoute(pidEndpoints.listLive, () => ({ pids: pids.list() })),
    defineRoute(pidEndpoints.getLive, ({ params }) => pids.get(params.pid_id)),
    defineRoute(pidEndpoints.hold, ({ params, actor }) => pids.command(actor, params.pid_id, 'hold')),
    defineRoute(pidEndpoints.pause, ({ params, actor }) => pids.command(actor, params.pid_id, 'pause')),
    defineRoute(pidEndpoints.resume, ({ params, actor }) => pids.command(actor, params.pid_id, 'resume')),
    defineRoute(pidAutotuneEndpoints.begin, ({ params, body, actor }) => pids.beginTrial(actor, params.pid_id, body)),
    defineRoute(pidAutotuneEndpoints.get, ({ params }) => pids.trial(params.pid_id)),
    defineRoute(pidAutotuneEndpoints.abort, ({ params, actor }) => pids.endTrial(actor, params.pid_id)),
    defineRoute(pidEndpoints.changeLive, ({ params, body, actor }) => pids.change(actor, params.pid_id, body)),
    defineRoute(pidRehearsalEndpoints.rehearse, ({ params, body }) => pidRehearsals.run(params.pid_id, body)),
  ];
}

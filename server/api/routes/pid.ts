import { dryRunEndpoints } from '../../contract/dry-run.ts';
import { pidAutotuneEndpoints } from '../../contract/pid-autotune.ts';
import { pidRehearsalEndpoints } from '../../contract/pid-rehearsal.ts';
import { pidEndpoints } from '../../contract/pid.ts';
import type { PidDryRunService } from '../../services/device/pid-dry-run.ts';
import type { PidRehearsalService } from '../../services/device/pid-rehearsal.ts';
import type { PidService } from '../../services/device/pid.ts';
import { defineRoute, type Route } from '../route.ts';

interface PidServices {
  pids: PidService;
  pidDryRuns: Pick<PidDryRunService, 'run'>;
  pidRehearsals: Pick<PidRehearsalService, 'run'>;
}

export function pidRoutes({ pids, pidDryRuns, pidRehearsals }: PidServices): Route[] {
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
    defineRoute(dryRunEndpoints.pid, ({ body }) => pidDryRuns.run(body)),
    defineRoute(pidRehearsalEndpoints.rehearse, ({ params, body }) => pidRehearsals.run(params.pid_id, body)),
  ];
}

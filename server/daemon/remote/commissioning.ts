import type { commissioningMethods } from '../../contract/remote/commissioning.ts';
import type { Commissioning } from '../commissioning/commissioning.ts';
import { actorOf } from './access.ts';
import type { HandlersOf } from './handlers.ts';

export function commissioningHandlers(commissioning: Commissioning): HandlersOf<typeof commissioningMethods> {
  return {
    commissioning_plan: ({ facility_id }) => commissioning.plan(facility_id),
    commissioning_start: ({ facility_id, include, actor }, call) =>
      commissioning.begin(facility_id, include, actorOf(call, actor)),
    commissioning_abort: ({ check_id, actor }, call) => commissioning.abort(check_id, actorOf(call, actor)),
    commissioning_get: ({ check_id }) => commissioning.get(check_id),
    commissioning_list: ({ facility_id }) => commissioning.list(facility_id),
    commissioning_accuracy: ({ check_id, reference, actor }, call) =>
      commissioning.holdAgainst(check_id, reference, actorOf(call, actor)),
    commissioning_reopen: ({ check_id, reason, actor }, call) =>
      commissioning.reopen(check_id, reason, actorOf(call, actor)),
    commissioning_retest: ({ check_id, actor }, call) => commissioning.retest(check_id, actorOf(call, actor)),
    commissioning_verdict: ({ check_id, verdict, actor }, call) =>
      commissioning.verdict(check_id, verdict, actorOf(call, actor)),
  };
}

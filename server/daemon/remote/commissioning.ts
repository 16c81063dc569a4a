import { z } from 'zod';
import { referenceReading } from '../../contract/commissioning-accuracy.ts';
import { checkReopen, checkVerdict } from '../../contract/commissioning.ts';
import type { RemoteMethod } from '../../remote/method.ts';
import type { Commissioning } from '../commissioning/commissioning.ts';
import { actorOf } from './access.ts';
import { id, method } from './arguments.ts';

const byCheck = z.object({ check_id: id });
const optional = (name: string, value: unknown) => ({ name, default: value });
const actor = z.string().min(1).max(200);
const byActor = optional('actor', 'pyro');

/** The methods of the remote object that check a house. */
export function commissioningMethods(commissioning: Commissioning): Record<string, RemoteMethod> {
  return {
    commissioning_start: method({
      parameters: ['facility_id', optional('include', null), byActor],
      schema: z.object({ facility_id: id, include: z.array(id).min(1).max(1000).nullable(), actor }),
      run: ({ facility_id, include, actor: by }, call) => commissioning.begin(facility_id, include, actorOf(call, by)),
    }),
    commissioning_abort: method({
      parameters: ['check_id', byActor],
      schema: byCheck.extend({ actor }),
      run: ({ check_id, actor: by }, call) => commissioning.abort(check_id, actorOf(call, by)),
    }),
    commissioning_get: method({
      parameters: ['check_id'],
      schema: byCheck,
      run: async ({ check_id }) => commissioning.get(check_id),
    }),
    commissioning_list: method({
      parameters: ['facility_id'],
      schema: z.object({ facility_id: id }),
      run: async ({ facility_id }) => commissioning.list(facility_id),
    }),
    commissioning_accuracy: method({
      parameters: ['check_id', 'reference', byActor],
      schema: byCheck.extend({ reference: referenceReading.extend({ device_id: id, measurement_id: id }), actor }),
      run: ({ check_id, reference, actor: by }, call) =>
        commissioning.holdAgainst(check_id, reference, actorOf(call, by)),
    }),
    commissioning_reopen: method({
      parameters: ['check_id', 'reason', byActor],
      schema: byCheck.extend({ reason: checkReopen.shape.reason, actor }),
      run: ({ check_id, reason, actor: by }, call) => commissioning.reopen(check_id, reason, actorOf(call, by)),
    }),
    commissioning_verdict: method({
      parameters: ['check_id', 'verdict', byActor],
      schema: byCheck.extend({ verdict: checkVerdict.extend({ device_id: id }), actor }),
      run: ({ check_id, verdict, actor: by }, call) => commissioning.verdict(check_id, verdict, actorOf(call, by)),
    }),
  };
}

import { z } from 'zod';
import type { EmergencyStop as EmergencyStopView } from '../../contract/safety.ts';
import type { RemoteMethod } from '../../remote/method.ts';
import type { Outputs } from '../controllers/output/outputs.ts';
import { actorOf } from './access.ts';
import { method, question } from './arguments.ts';
import type { EmergencyStop } from '../safety/emergency-stop.ts';

interface StopParts {
  safety: { emergency: EmergencyStop };
  outputs: Outputs;
}

const byName = { name: 'actor', default: 'pyro' };
const actor = z.string().max(200).nullable();

/** Stopping everything, and letting it go again. */
export function safetyMethods({ safety, outputs }: StopParts): Record<string, RemoteMethod> {
  const view = (known: EmergencyStopView['outputs']): EmergencyStopView => {
    const held = safety.emergency.view();
    return { ...held, outputs: held.active ? known : [] };
  };
  return {
    emergency_stop: method({
      parameters: [{ name: 'reason', default: null }, byName],
      schema: z.object({ reason: z.string().max(500).nullable(), actor }),
      run: async ({ reason, actor: named }, call) => {
        // It holds before the first output moves: nothing can slip in between.
        const kept = safety.emergency.begin(actorOf(call, named), reason);
        const known = await outputs.stopNow();
        await kept;
        return view(known);
      },
    }),
    emergency_stop_get: question(() => view(outputs.safeOutcomes())),
    emergency_stop_release: method({
      parameters: [byName],
      schema: z.object({ actor }),
      run: async ({ actor: named }, call) => {
        const by = actorOf(call, named);
        // What was asked for before goes first: nothing may go back on when the stop ends.
        await outputs.stayStopped();
        await safety.emergency.release(by);
        outputs.stopEnded();
        return view([]);
      },
    }),
  };
}

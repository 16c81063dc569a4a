import type { safetyMethods } from '../../contract/remote/safety.ts';
import type { EmergencyStop as EmergencyStopView } from '../../contract/safety.ts';
import type { Outputs } from '../controllers/output/outputs.ts';
import { actorOf } from './access.ts';
import type { HandlersOf } from './handlers.ts';
import type { EmergencyStop } from '../safety/emergency-stop.ts';

interface StopParts {
  safety: { emergency: EmergencyStop };
  outputs: Outputs;
}

export function safetyHandlers({ safety, outputs }: StopParts): HandlersOf<typeof safetyMethods> {
  const view = (known: EmergencyStopView['outputs']): EmergencyStopView => {
    const held = safety.emergency.view();
    return { ...held, outputs: held.active ? known : [] };
  };
  return {
    emergency_stop: async ({ reason, actor }, call) => {
      // The stop holds before the first output moves: no command can slip in between.
      const kept = safety.emergency.begin(actorOf(call, actor), reason);
      const known = await outputs.stopNow();
      await kept;
      return view(known);
    },
    emergency_stop_get: () => view(outputs.safeOutcomes()),
    emergency_stop_release: async ({ actor }, call) => {
      const by = actorOf(call, actor);
      // Former claims are dropped first: nothing may switch on again when the stop ends.
      await outputs.stayStopped();
      await safety.emergency.release(by);
      outputs.stopEnded();
      return view([]);
    },
  };
}

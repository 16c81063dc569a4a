import { z } from 'zod';
import type { ControlLive } from '../../../contract/daemon.ts';
import type { Trigger, TriggerLive } from '../../../contract/trigger.ts';
import { ownPhases } from '../../grid.ts';
import type { RunningKind } from '../controller-kind.ts';
import { RunningControllers } from '../running-controllers.ts';
import { TriggerController, type TriggerHost } from './trigger.ts';

/** What a trigger must know after a restart. */
const kept = z.object({ last_due_ms: z.number() });
type Kept = z.infer<typeof kept>;

/** All running triggers. */
export class Triggers extends RunningControllers<Trigger, TriggerController> {
  live(): ControlLive[] {
    return this.all().map((one) => liveOf(one.live()));
  }
}

function liveOf(live: TriggerLive): ControlLive {
  return { controller_id: live.trigger_id, controller_type: 'Trigger', live };
}

export const triggers: RunningKind<Triggers> = {
  word: 'trigger',
  run: ({ clock, watchdog, live, outputs, actions, events, configuration, curves, store, log }) => {
    const host = {
      clock,
      watchdog,
      outputs,
      log,
      actions,
      told: (one: TriggerLive) => events.push({ kind: 'control', ...liveOf(one) }),
      watch: { clock, live, outputs },
      place: () => configuration.place(),
      curve: (id: string) => curves.curve(id),
      methodName: (id: string) => curves.method(id)?.name ?? id,
      reader: () => configuration.reader(),
      keepDue: (controller_id: string, lastDueMs: number) => {
        const kept: Kept = { last_due_ms: lastDueMs };
        store.saveController({ controller_id, state: JSON.stringify(kept) }).catch((error: unknown) => {
          log(`when trigger ${controller_id} was due is not kept: ${String(error)}`);
        });
      },
    };
    const nextPhase = ownPhases();
    const make = (settings: Trigger, statusChanged: TriggerHost['statusChanged'], state: string | undefined) => {
      const lastDueMs = state === undefined ? null : kept.parse(JSON.parse(state)).last_due_ms;
      return new TriggerController(settings, { ...host, statusChanged, last_due_ms: lastDueMs, phase: nextPhase() });
    };
    return new Triggers({ events, store }, make);
  },
};

import { z } from 'zod';
import type { Trigger } from '../../../contract/trigger.ts';
import type { RunningKind } from '../controller-kind.ts';
import { RunningControllers } from '../running-controllers.ts';
import { TriggerController } from './trigger.ts';

/** What a trigger must know of after a restart. */
const kept = z.object({ last_due_ms: z.number() });
type Kept = z.infer<typeof kept>;

export type Triggers = RunningControllers<Trigger, TriggerController>;

export const triggers: RunningKind<Triggers> = {
  word: 'trigger',
  run: ({ clock, watchdog, live, outputs, actions, events, configuration, curves, store, log }) => {
    const host = {
      clock,
      watchdog,
      outputs,
      log,
      actions,
      watch: { clock, live, outputs },
      place: () => configuration.place(),
      curve: (id: string) => curves.curve(id),
      keepDue: (controller_id: string, last_due_ms: number) => {
        const kept: Kept = { last_due_ms };
        store.saveController({ controller_id, state: JSON.stringify(kept) }).catch((error: unknown) => {
          log(`when trigger ${controller_id} was due is not kept: ${String(error)}`);
        });
      },
    };
    return new RunningControllers({ events, store }, (settings, statusChanged, state) => {
      const last_due_ms = state === undefined ? null : kept.parse(JSON.parse(state)).last_due_ms;
      return new TriggerController(settings, { ...host, statusChanged, last_due_ms });
    });
  },
};

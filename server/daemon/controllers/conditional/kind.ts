import type { Conditional } from '../../../contract/conditional.ts';
import type { RunningKind } from '../controller-kind.ts';
import { RunningControllers } from '../running-controllers.ts';
import { ConditionalController } from './conditional.ts';
import { pastReader } from './past.ts';

export type Conditionals = RunningControllers<Conditional, ConditionalController>;

export const conditionals: RunningKind<Conditionals> = {
  word: 'conditional',
  run: ({ clock, watchdog, live, outputs, actions, reader, told, events, store }) => {
    const host = {
      clock,
      watchdog,
      outputs,
      actions,
      conditions: { live, outputs, past: pastReader({ clock, reader }), isWell: (id: string) => told.isWell(id) },
    };
    return new RunningControllers(
      { events, store },
      (settings, statusChanged) => new ConditionalController(settings, { ...host, statusChanged }),
    );
  },
};

import type { Conditional, ConditionalLive } from '../../../contract/conditional.ts';
import type { ControlLive } from '../../../contract/daemon.ts';
import { ownPhases } from '../../grid.ts';
import type { RunningKind } from '../controller-kind.ts';
import { RunningControllers } from '../running-controllers.ts';
import { ConditionalController } from './conditional.ts';
import { pastReader } from './past.ts';

/** All running conditional functions. */
export class Conditionals extends RunningControllers<Conditional, ConditionalController> {
  live(): ControlLive[] {
    return this.all().map((one) => liveOf(one.live()));
  }
}

function liveOf(live: ConditionalLive): ControlLive {
  return { controller_id: live.conditional_id, controller_type: 'Conditional', live };
}

export const conditionals: RunningKind<Conditionals> = {
  word: 'conditional',
  run: ({ clock, watchdog, live, outputs, actions, reader, told, events, store, configuration }) => {
    const host = {
      clock,
      watchdog,
      outputs,
      actions,
      reader: () => configuration.reader(),
      told: (one: ConditionalLive) => events.push({ kind: 'control', ...liveOf(one) }),
      conditions: { live, outputs, past: pastReader({ clock, reader }), isWell: (id: string) => told.isWell(id) },
    };
    const nextPhase = ownPhases();
    return new Conditionals(
      { events, store },
      (settings, statusChanged) => new ConditionalController(settings, { ...host, statusChanged, phase: nextPhase() }),
    );
  },
};

import type { ControlLive } from '../../../contract/daemon.ts';
import type { FunctionLive, FunctionSettings } from '../../../contract/function.ts';
import type { FunctionCommand } from '../../../contract/functions/definition.ts';
import { RemoteFailure } from '../../../contract/remote/failure.ts';
import { ownPhases } from '../../grid.ts';
import type { ControlSite, RunningKind } from '../controller-kind.ts';
import { RunningControllers } from '../running-controllers.ts';
import { FunctionController } from './function.ts';
import { Tanks } from '../../../domain/control/functions/laws/tanks.ts';

type FunctionSite = Pick<ControlSite, 'clock' | 'live' | 'outputs' | 'events' | 'store' | 'writer'> & {
  watchdog: Pick<ControlSite['watchdog'], 'watch'>;
  measured: Pick<ControlSite['measured'], 'channelsOf'>;
  configuration: Pick<ControlSite['configuration'], 'place'>;
};

/** All running functions. */
export class Functions extends RunningControllers<FunctionSettings, FunctionController> {
  constructor({ clock, live, outputs, watchdog, events, store, writer, measured, configuration }: FunctionSite) {
    const told = (one: FunctionLive): void => void events.push({ kind: 'control', ...liveOf(one) });
    const nextPhase = ownPhases();
    const tanks = new Tanks();
    super({ events, store }, (settings, statusChanged, kept, all) => {
      tanks.recall(all);
      const channelsOf = (one: FunctionSettings) => measured.channelsOf('function', one);
      const { unique_id: controller_id } = settings;
      const remember = (state: string) => store.saveController({ controller_id, state });
      const place = () => configuration.place();
      const base = { clock, live, outputs, watchdog, writer, channelsOf, place, tanks };
      const host = { ...base, kept, remember, told, statusChanged, phase: nextPhase() };
      return new FunctionController(settings, host);
    });
  }

  /**
   * Runs a command that the function's kind declares; resolves with the error message, null on success. Throws
   * RemoteFailure `not_active`.
   */
  async command(id: string, command: FunctionCommand): Promise<string | null> {
    const found = this.get(id);
    if (found === undefined) throw new RemoteFailure('not_active', `function ${id} is not active`);
    if (!found.commands().includes(command)) return `${command}: it declares ${found.commands().join(', ')}`;
    await found.command(command);
    return null;
  }

  live(): ControlLive[] {
    return this.all().map((one) => liveOf(one.live()));
  }
}

function liveOf(live: FunctionLive): ControlLive {
  return { controller_id: live.function_id, controller_type: 'Function', live };
}

export const functions: RunningKind<Functions> = {
  word: 'function',
  run: (site) => new Functions(site),
};

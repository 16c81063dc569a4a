import type { ControlLive } from '../../../contract/daemon.ts';
import type { FunctionLive, FunctionSettings } from '../../../contract/function.ts';
import { ownPhases } from '../../grid.ts';
import type { ControlSite, RunningKind } from '../controller-kind.ts';
import { RunningControllers } from '../running-controllers.ts';
import { FunctionController } from './function.ts';

type FunctionSite = Pick<ControlSite, 'clock' | 'live' | 'outputs' | 'events' | 'store' | 'writer'> & {
  watchdog: Pick<ControlSite['watchdog'], 'watch'>;
  measured: Pick<ControlSite['measured'], 'channelsOf'>;
  configuration: Pick<ControlSite['configuration'], 'timeZone'>;
};

/** All functions at work. */
export class Functions extends RunningControllers<FunctionSettings, FunctionController> {
  constructor({ clock, live, outputs, watchdog, events, store, writer, measured, configuration }: FunctionSite) {
    const told = (one: FunctionLive): void => void events.push({ kind: 'control', ...liveOf(one) });
    const nextPhase = ownPhases();
    super({ events, store }, (settings, statusChanged, kept) => {
      const channelsOf = (one: FunctionSettings) => measured.channelsOf('function', one);
      const { unique_id: controller_id } = settings;
      const remember = (state: string) => store.saveController({ controller_id, state });
      const timeZone = () => configuration.timeZone();
      const base = { clock, live, outputs, watchdog, writer, channelsOf, timeZone };
      const host = { ...base, kept, remember, told, statusChanged, phase: nextPhase() };
      return new FunctionController(settings, host);
    });
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

import type { ClimateLive } from '../../../contract/climate-live.ts';
import type { Climate } from '../../../contract/climate-settings.ts';
import type { ControlLive } from '../../../contract/daemon.ts';
import { ownPhases } from '../../grid.ts';
import type { ControlSite, RunningKind } from '../controller-kind.ts';
import { RunningControllers } from '../running-controllers.ts';
import { ClimateController } from './climate.ts';

type ClimateSite = Pick<ControlSite, 'clock' | 'live' | 'outputs' | 'events' | 'store' | 'alarms' | 'writer'> & {
  watchdog: Pick<ControlSite['watchdog'], 'watch'>;
  configuration: Pick<ControlSite['configuration'], 'facility' | 'safetyPlan' | 'place'>;
};

/** All running climate programs. */
export class Climates extends RunningControllers<Climate, ClimateController> {
  constructor({ clock, live, outputs, watchdog, events, store, alarms, writer, configuration }: ClimateSite) {
    const told = (one: ClimateLive): void => void events.push({ kind: 'control', ...liveOf(one) });
    const nextPhase = ownPhases();
    super({ events, store }, (settings, statusChanged, kept) => {
      const { unique_id: controller_id } = settings;
      const remember = (state: string) => store.saveController({ controller_id, state });
      const base = { clock, live, outputs, watchdog, alarms, writer, configuration };
      return new ClimateController(settings, { ...base, kept, remember, told, statusChanged, phase: nextPhase() });
    });
  }

  live(): ControlLive[] {
    return this.all().map((one) => liveOf(one.live()));
  }
}

function liveOf(live: ClimateLive): ControlLive {
  return { controller_id: live.climate_id, controller_type: 'Climate', live };
}

export const climates: RunningKind<Climates> = {
  word: 'climate',
  run: (site) => new Climates(site),
};

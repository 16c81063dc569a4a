import { shallowRef, type ShallowRef } from 'vue';
import {
  houseSimulationEndpoints as endpoints,
  type HouseSimulation,
  type SimulationCreate,
  type SimulationPatch,
} from '../../../server/contract/house-simulation.ts';
import { useCall } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';
import { useNotice } from '../../stores/notice.ts';

interface Simulation {
  present: ShallowRef<HouseSimulation | null>;
  isBusy: ShallowRef<boolean>;
  error: ShallowRef<unknown>;
  /** Each resolves with how it is simulated then, with null where `error` says why not. */
  load: () => Promise<HouseSimulation | null>;
  create: (name: string, asked: SimulationCreate) => Promise<HouseSimulation | null>;
  change: (patch: SimulationPatch) => Promise<HouseSimulation | null>;
  remove: () => Promise<HouseSimulation | null>;
}

/** How a house is simulated, and the ways to change that. */
export function useSimulation(facilityUuid: () => string): Simulation {
  const call = useCall();
  const { t } = useText();
  const live = useLive();
  const notice = useNotice();
  const present = shallowRef<HouseSimulation | null>(null);
  const isBusy = shallowRef(false);
  const error = shallowRef<unknown>(null);
  const params = () => ({ facility_uuid: facilityUuid() });

  async function attempt(work: () => Promise<HouseSimulation>, done?: string): Promise<HouseSimulation | null> {
    isBusy.value = true;
    error.value = null;
    try {
      const found = await work();
      present.value = found;
      if (done !== undefined) {
        await live.reload();
        notice.done(done);
      }
      return found;
    } catch (thrown) {
      error.value = thrown;
      return null;
    } finally {
      isBusy.value = false;
    }
  }

  return {
    present,
    isBusy,
    error,
    load: () => attempt(() => call(endpoints.get, { params: params() })),
    create: (name, body) =>
      attempt(() => call(endpoints.create, { params: params(), body }), t('simulation.done', { name })),
    change: (body) => attempt(() => call(endpoints.change, { params: params(), body }), t('simulation.changed')),
    remove: () => attempt(() => call(endpoints.remove, { params: params() }), t('simulation.removed')),
  };
}

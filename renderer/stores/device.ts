import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import type { ControllerSettings } from '../../server/contract/controller-kind.ts';
import { allKinds, kindOfWord, type ControllerWord, type SettingsOf } from '../../server/contract/controller-kinds.ts';
import { controllerEndpoints } from '../../server/contract/controller.ts';
import { driverEndpoints, type DriverDescription } from '../../server/contract/driver.ts';
import { inputEndpoints, type Input } from '../../server/contract/input.ts';
import type { Lcd } from '../../server/contract/lcd.ts';
import type { DatedValue } from '../../server/contract/measurement.ts';
import type { Output } from '../../server/contract/output.ts';
import type { Access, Permission } from '../../server/contract/permission.ts';
import { presetEndpoints, type SimulatedGreenhouse } from '../../server/contract/preset.ts';
import { isApiError } from '../client/api-error.ts';
import { useCall } from '../client/client.ts';
import { useLive } from './live.ts';
import { useSession } from './session.ts';

const isPermission = (access: Access): access is Permission => access !== 'public' && access !== 'login';

/** Settings of everything that the daemon runs: what the live device list lacks. */
export const useDevices = defineStore('devices', () => {
  const call = useCall();
  const live = useLive();
  const session = useSession();
  const lists = shallowReactive(new Map<ControllerWord, readonly ControllerSettings[]>());
  const drivers = shallowRef<DriverDescription[]>([]);

  /** As last read; empty until then. */
  function listOf<Word extends ControllerWord>(word: Word): SettingsOf<Word>[] {
    return [...(lists.get(word) ?? [])] as SettingsOf<Word>[]; // read by the call of this kind
  }

  const isRead = (word: ControllerWord): boolean => lists.has(word);

  async function load(): Promise<void> {
    const seen = allKinds.filter(({ endpoints: { list } }) => isPermission(list.access) && session.can(list.access));
    await Promise.all(
      seen.map(async ({ word, plural, endpoints }) => {
        const answer = await call(endpoints.list);
        lists.set(word, (answer as Record<string, readonly ControllerSettings[]>)[plural] ?? []); // as its kind declares
      }),
    );
  }

  /** For pages that work without settings, from states alone. */
  async function loadIfPossible(): Promise<void> {
    await load().catch((error: unknown) => {
      if (!isApiError(error)) throw error;
    });
  }

  live.onDeviceChange(() => {
    if (lists.size > 0) void loadIfPossible();
  });

  async function reload(): Promise<void> {
    await Promise.all([load(), live.reload()]);
  }

  async function loadDrivers(): Promise<void> {
    drivers.value = (await call(driverEndpoints.list)).drivers;
  }

  /** The form was built from the schema; the server validates its entries and names the faults. */
  async function create(word: ControllerWord, body: object): Promise<{ unique_id: string }> {
    const made = await call(kindOfWord(word).endpoints.create, { body });
    await reload();
    return made as { unique_id: string }; // every kind answers with its settings
  }

  async function change(word: ControllerWord, id: string, body: object): Promise<void> {
    await call(kindOfWord(word).endpoints.change, { params: { [`${word}_id`]: id }, body });
    await reload();
  }

  async function remove(word: ControllerWord, id: string): Promise<void> {
    await call(kindOfWord(word).endpoints.remove, { params: { [`${word}_id`]: id } });
    await reload();
  }

  /** Activates or deactivates what the daemon runs; throws the daemon's error. */
  async function activate(id: string, isActive: boolean): Promise<void> {
    try {
      await call(controllerEndpoints.activate, { params: { controller_id: id }, body: { activate: isActive } });
    } finally {
      await reload();
    }
  }

  /** Makes a sensor read now. */
  async function forceMeasurement(id: string): Promise<DatedValue[]> {
    return (await call(inputEndpoints.forceMeasurement, { params: { input_id: id } })).readings;
  }

  /** Creates the devices of a simulated greenhouse; returns how many. */
  async function createSimulated(names: SimulatedGreenhouse): Promise<number> {
    const made = await call(presetEndpoints.simulatedGreenhouse, { body: names });
    await reload();
    return made.inputs.length + made.outputs.length;
  }

  return {
    inputs: computed(() => listOf('input')),
    outputs: computed(() => listOf('output')),
    listOf,
    isRead,
    load,
    loadIfPossible,
    reload,
    drivers,
    loadDrivers,
    create,
    change,
    remove,
    activate,
    forceMeasurement,
    createSimulated,
    /** Settings of a device of any kind. */
    settingsOf: (id: string): Input | Output | Lcd | undefined =>
      [...listOf('input'), ...listOf('output'), ...listOf('lcd')].find(({ unique_id }) => unique_id === id),
  };
});

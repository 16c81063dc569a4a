import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { controllerEndpoints } from '../../server/contract/controller.ts';
import { driverEndpoints } from '../../server/contract/driver.ts';
import type { DriverDescription } from '../../server/contract/driver.ts';
import { inputEndpoints } from '../../server/contract/input.ts';
import type { Input, InputCreate } from '../../server/contract/input.ts';
import { lcdEndpoints } from '../../server/contract/lcd.ts';
import type { Lcd, LcdCreate } from '../../server/contract/lcd.ts';
import type { DatedValue } from '../../server/contract/measurement.ts';
import { outputEndpoints } from '../../server/contract/output.ts';
import type { Output, OutputChannel, OutputCreate } from '../../server/contract/output.ts';
import { presetEndpoints } from '../../server/contract/preset.ts';
import { isApiError } from '../client/api-error.ts';
import { useCall } from '../client/client.ts';
import { useLive } from './live.ts';
import { useSession } from './session.ts';

type DeviceKind = 'input' | 'output' | 'lcd';

/** Settings of inputs, outputs and displays: what the live device list does not tell, such as the kind of a channel. */
export const useDevices = defineStore('devices', () => {
  const call = useCall();
  const live = useLive();
  const session = useSession();
  const inputs = shallowRef<Input[]>([]);
  const outputs = shallowRef<Output[]>([]);
  const lcds = shallowRef<Lcd[]>([]);
  const drivers = shallowRef<DriverDescription[]>([]);

  async function loadInputs(): Promise<void> {
    if (session.can('view_settings')) inputs.value = (await call(inputEndpoints.list)).inputs;
  }

  async function loadOutputs(): Promise<void> {
    if (session.can('view_stats')) outputs.value = (await call(outputEndpoints.list)).outputs;
  }

  async function loadLcds(): Promise<void> {
    if (session.can('view_settings')) lcds.value = (await call(lcdEndpoints.listSettings)).lcds;
  }

  async function load(): Promise<void> {
    await Promise.all([loadInputs(), loadOutputs(), loadLcds()]);
  }

  /** For screens that also work without, where the states themselves tell. */
  async function loadIfPossible(): Promise<void> {
    await load().catch((error: unknown) => {
      if (!isApiError(error)) throw error;
    });
  }

  async function reload(): Promise<void> {
    await Promise.all([load(), live.reload()]);
  }

  async function loadDrivers(): Promise<void> {
    drivers.value = (await call(driverEndpoints.list)).drivers;
  }

  /** What the form holds was made after the schema; the server judges it and names what is wrong. */
  async function create(kind: DeviceKind, body: object): Promise<{ unique_id: string }> {
    const made = await {
      input: () => call(inputEndpoints.create, { body: body as InputCreate }), // see above
      output: () => call(outputEndpoints.create, { body: body as OutputCreate }), // see above
      lcd: () => call(lcdEndpoints.create, { body: body as LcdCreate }), // see above
    }[kind]();
    await reload();
    return made;
  }

  async function change(kind: DeviceKind, id: string, body: object): Promise<void> {
    await {
      input: () => call(inputEndpoints.change, { params: { input_id: id }, body }),
      output: () => call(outputEndpoints.change, { params: { output_id: id }, body }),
      lcd: () => call(lcdEndpoints.change, { params: { lcd_id: id }, body }),
    }[kind]();
    await reload();
  }

  async function remove(kind: DeviceKind, id: string): Promise<void> {
    await {
      input: () => call(inputEndpoints.remove, { params: { input_id: id } }),
      output: () => call(outputEndpoints.remove, { params: { output_id: id } }),
      lcd: () => call(lcdEndpoints.remove, { params: { lcd_id: id } }),
    }[kind]();
    await reload();
  }

  /** Starts or stops what the daemon runs; throws what the daemon did not do. */
  async function activate(id: string, isActive: boolean): Promise<void> {
    try {
      await call(controllerEndpoints.activate, { params: { controller_id: id }, body: { activate: isActive } });
    } finally {
      await reload();
    }
  }

  /** Has a sensor read now. */
  async function forceMeasurement(id: string): Promise<DatedValue[]> {
    return (await call(inputEndpoints.forceMeasurement, { params: { input_id: id } })).readings;
  }

  /** Makes the devices of a simulated greenhouse; gives how many. */
  async function createSimulated(name: string): Promise<number> {
    const made = await call(presetEndpoints.simulatedGreenhouse, { body: { name } });
    await reload();
    return made.inputs.length + made.outputs.length;
  }

  const channels = computed(
    () =>
      new Map(
        outputs.value.flatMap((output) =>
          output.channels.map((channel) => [`${output.unique_id}:${channel.channel}`, channel] as const),
        ),
      ),
  );

  return {
    inputs,
    outputs,
    load,
    loadIfPossible,
    reload,
    lcds,
    drivers,
    loadDrivers,
    create,
    change,
    remove,
    activate,
    forceMeasurement,
    createSimulated,
    settingsOf: (id: string): Input | Output | Lcd | undefined =>
      [...inputs.value, ...outputs.value, ...lcds.value].find(({ unique_id }) => unique_id === id),
    /** Settings of an output's channel, undefined while they are not known. */
    channel: (outputId: string, channel: number): OutputChannel | undefined =>
      channels.value.get(`${outputId.toLowerCase()}:${channel}`),
  };
});

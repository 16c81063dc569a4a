import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { SimulatedOptions, SimulatedPart } from '../../contract/drivers/simulated.ts';
import type { DisplayOptions } from '../../contract/drivers/virtual.ts';
import type { Input, InputChannel } from '../../contract/input.ts';
import type { Lcd } from '../../contract/lcd.ts';
import type { Output } from '../../contract/output.ts';
import type { SimulatedGreenhouse } from '../../contract/preset.ts';
import type { InputRepository } from '../../db/repositories/input.ts';
import type { LcdRepository } from '../../db/repositories/lcd.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { Transact } from '../../db/transaction.ts';
import type { DaemonSettings } from '../live/daemon-settings.ts';
import { newInput } from './input.ts';
import { newOutput } from './output.ts';

interface PresetServiceOptions {
  inputs: InputRepository;
  outputs: OutputRepository;
  lcds: LcdRepository;
  transact: Transact;
  audit: AuditSink;
  daemon: DaemonSettings;
  /** Location of the site, for which the weather is made. */
  site: () => { lat: number; lng: number };
}

export interface PresetDevices {
  inputs: Input[];
  outputs: Output[];
  lcds: Lcd[];
}

const sensorParts = [
  ['indoor', 'indoor climate'],
  ['weather', 'weather'],
] as const satisfies readonly (readonly [SimulatedPart, string])[];

const actuatorParts = [
  ['heater', 'heater'],
  ['fan', 'fan'],
  ['side_vent', 'side vent'],
  ['roof_vent', 'roof vent'],
  ['co2', 'CO2 supply'],
  ['lighting', 'lighting'],
  ['shade', 'shade curtain'],
  ['fogger', 'fogger'],
  ['valve', 'irrigation valve'],
] as const satisfies readonly (readonly [SimulatedPart, string])[];

/** Sets of devices that are made in one go. */
export class PresetService {
  readonly #options: PresetServiceOptions;

  constructor(options: PresetServiceOptions) {
    this.#options = options;
  }

  /** All devices of one simulated house: all are stored or none. */
  async simulatedGreenhouse(actor: Actor, sent: SimulatedGreenhouse): Promise<PresetDevices> {
    const { inputs, outputs, lcds, transact, audit, daemon, site } = this.#options;
    const { lat, lng } = site();
    const made = simulatedDevices(sent, { speed: sent.speed ?? 1, lat, lng });
    transact(() => {
      for (const input of made.inputs) inputs.insert(input);
      for (const output of made.outputs) outputs.insert(output);
      for (const lcd of made.lcds) lcds.insert(lcd);
      audit.record({ kind: 'preset.create', actor, target: 'simulated_greenhouse', after: made });
    });
    const devices = [...made.outputs, ...made.inputs, ...made.lcds];
    await Promise.all(devices.map(({ unique_id }) => daemon.changed(unique_id)));
    return made;
  }
}

function simulatedDevices(
  sent: SimulatedGreenhouse,
  model: { speed: number; lat: number; lng: number },
): PresetDevices {
  const { name = 'Greenhouse', part_names, measurement_names } = sent;
  const house = randomUUID();
  const madeAs = ([part, title]: readonly [SimulatedPart, string]) => ({
    name: `${name} ${part_names?.[part] ?? title}`,
    driver: 'simulated',
    options: { house, part, ...model } satisfies SimulatedOptions,
  });
  const inputs = sensorParts.map((one): Input => {
    const made = newInput({ ...madeAs(one), period_s: 1 });
    const named = ({ measurement, name: offered }: InputChannel) => measurement_names?.[measurement] ?? offered;
    return { ...made, channels: made.channels.map((channel) => ({ ...channel, name: named(channel) })) };
  });
  const outputs = actuatorParts.map((one): Output => {
    const made = newOutput(madeAs(one));
    return {
      ...made,
      channels: made.channels.map((channel) => ({ ...channel, name: part_names?.[one[0]] ?? channel.name })),
    };
  });
  return { inputs, outputs, lcds: inputs.slice(0, 1).map((indoor) => screenFor(indoor, name)) };
}

/** A display that shows every channel of the indoor climate. */
function screenFor(indoor: Input, name: string): Lcd {
  const lines = indoor.channels.map((channel) => ({
    kind: 'measurement' as const,
    device_id: indoor.unique_id,
    measurement_id: channel.measurement_id,
    label: channel.name,
  }));
  const options = { columns: 20, rows: 4, line_sets: [lines] } satisfies DisplayOptions;
  return { unique_id: randomUUID(), name: `${name} display`, driver: 'virtual', options, is_activated: true };
}

import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { SimulatedPart } from '../../contract/drivers/simulated.ts';
import type { DisplayOptions } from '../../contract/drivers/virtual.ts';
import type { Input } from '../../contract/input.ts';
import type { Language } from '../../contract/language.ts';
import type { Lcd } from '../../contract/lcd.ts';
import type { Output } from '../../contract/output.ts';
import type { SimulatedGreenhouse } from '../../contract/preset.ts';
import type { InputRepository } from '../../db/repositories/input.ts';
import type { LcdRepository } from '../../db/repositories/lcd.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { Transact } from '../../db/transaction.ts';
import type { DaemonSettings } from '../live/daemon-settings.ts';
import { deviceNames } from './device-names.ts';
import { simulatedInput, simulatedOutput } from './simulated-devices.ts';

interface PresetServiceOptions {
  inputs: InputRepository;
  outputs: OutputRepository;
  lcds: LcdRepository;
  transact: Transact;
  audit: AuditSink;
  daemon: DaemonSettings;
  /** Location of the site, for which the weather is made, and the language in which devices are named. */
  site: () => { lat: number; lng: number; language: Language };
}

export interface PresetDevices {
  inputs: Input[];
  outputs: Output[];
  lcds: Lcd[];
}

const sensorParts = ['indoor', 'weather'] as const satisfies readonly SimulatedPart[];
const actuatorParts = [
  'heater',
  'fan',
  'side_vent',
  'roof_vent',
  'co2',
  'lighting',
  'shade',
  'fogger',
  'valve',
] as const satisfies readonly SimulatedPart[];

/** Sets of devices that are made in one go. */
export class PresetService {
  readonly #options: PresetServiceOptions;

  constructor(options: PresetServiceOptions) {
    this.#options = options;
  }

  /** All devices of one simulated house: all are stored or none. */
  async simulatedGreenhouse(actor: Actor, sent: SimulatedGreenhouse): Promise<PresetDevices> {
    const { inputs, outputs, lcds, transact, audit, daemon, site } = this.#options;
    const { lat, lng, language } = site();
    const made = simulatedDevices({ ...sent, language }, { speed: sent.speed ?? 1, lat, lng });
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
  { name: given, language, ...names }: SimulatedGreenhouse & { language: Language },
  model: { speed: number; lat: number; lng: number },
): PresetDevices {
  const words = deviceNames[language];
  const name = given ?? words.greenhouse;
  const made = { name, language, ...names, options: { house: randomUUID(), ...model } };
  const inputs = sensorParts.map((part) => simulatedInput(part, made));
  const outputs = actuatorParts.map((part) => simulatedOutput(part, made));
  const title = words.display.replace('{name}', name);
  return { inputs, outputs, lcds: inputs.slice(0, 1).map((indoor) => screenFor(indoor, title)) };
}

/**
 * A display that shows every channel of the indoor climate, by the names that the channels have. Those may be in any
 * script: the display is drawn by the pages, and a character display on a wire gets no lines that a person did not
 * type.
 */
function screenFor(indoor: Input, name: string): Lcd {
  const lines = indoor.channels.map((channel) => ({
    kind: 'measurement' as const,
    device_id: indoor.unique_id,
    measurement_id: channel.measurement_id,
    label: channel.name,
  }));
  const options = { columns: 20, rows: 4, line_sets: [lines] } satisfies DisplayOptions;
  return { unique_id: randomUUID(), name, driver: 'virtual', options, is_activated: true };
}

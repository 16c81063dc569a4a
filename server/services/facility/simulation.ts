import type { Actor } from '../../auth/actor.ts';
import type { SimulatedOptions } from '../../contract/drivers/simulated.ts';
import { Refusal } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { Facility } from '../../contract/facility.ts';
import type {
  HousePart,
  HouseSimulation,
  OfferedPart,
  SimulationCreate,
  SimulationPatch,
} from '../../contract/house-simulation.ts';
import type { Input } from '../../contract/input.ts';
import type { Output } from '../../contract/output.ts';
import type { Language } from '../../contract/language.ts';
import type { InputRepository } from '../../db/repositories/input.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import { houseEquipment } from '../../domain/simulation/house-equipment.ts';
import type { SettingsOptions } from '../device/settings.ts';
import { simulatedInput, simulatedOutput, storedOptions } from '../device/simulated-devices.ts';
import { refuseUsedDevice } from '../device/users.ts';
import type { FacilityCapacity } from './capacity.ts';
import { withKnownMaterials } from './check.ts';
import type { FacilityService } from './facility.ts';
import { bindingsOf, boundIn, optionsOf, without, type OwnDevices } from './simulated-bindings.ts';

interface HouseSimulationOptions extends Omit<SettingsOptions, 'inputs'> {
  houses: Pick<FacilityService, 'get' | 'save'>;
  inputs: InputRepository;
  outputs: OutputRepository;
  capacity: Pick<FacilityCapacity, 'contextOf'>;
  /** In which devices are named. */
  language: () => Language;
}

const sensorParts = ['indoor', 'weather'] as const;

/**
 * Simulates drawn houses: devices of a model that has the geometry, covering and equipment of the house, bound in it by
 * their roles.
 */
export class HouseSimulations {
  readonly #options: HouseSimulationOptions;

  constructor(options: HouseSimulationOptions) {
    this.#options = options;
  }

  /** Throws `not_found`, `unknown_material`. */
  get(facilityId: string): HouseSimulation {
    const facility = this.#options.houses.get(facilityId);
    const own = this.#own(facilityId);
    const options = own.inputs.map(optionsOf)[0];
    const isOwn = new Set([...own.inputs, ...own.outputs].map(({ unique_id }) => unique_id));
    const deviceOf = (part: HousePart) => own.outputs.find((one) => optionsOf(one).part === part) ?? null;
    return {
      facility_uuid: facilityId,
      is_simulated: isOwn.size > 0,
      parts: this.#offered(facility).map((one) => ({ ...one, device: shortOf(deviceOf(one.part)) })),
      sensors: own.inputs.map((one) => ({ ...named(one), part: optionsOf(one).part ?? 'sensor' })),
      crop: options?.crop ?? 'young',
      speed: options?.speed ?? 1,
      ...(options?.weather_file !== undefined && { weather_file: options.weather_file }),
      others: boundIn(facility)
        .filter((id) => !isOwn.has(id))
        .map((id) => ({ unique_id: id, name: this.#nameOf(id) })),
    };
  }

  /**
   * Makes and binds all devices or none. Throws `not_found`, `already_exists`, `conflict` beside devices of others,
   * `unknown_material`.
   */
  async create(actor: Actor, facilityId: string, sent: SimulationCreate): Promise<HouseSimulation> {
    const { transact, inputs, outputs, audit, houses } = this.#options;
    const made = transact(() => {
      const facility = houses.get(facilityId);
      const { is_simulated, others, parts } = this.get(facilityId);
      if (is_simulated) throw new Refusal('already_exists', 'the house is simulated already');
      if (others.length > 0) {
        const names = others.map(({ name }) => name);
        const members = { devices: others };
        throw new Refusal('conflict', why('house_partly_real', { names }), { members });
      }
      const chosen = parts.filter(({ part, is_usual }) => sent.parts?.includes(part) ?? is_usual);
      const devices = this.#devicesOf(facility, chosen, sent);
      for (const input of devices.inputs) inputs.insert(input);
      for (const output of devices.outputs) outputs.insert(output);
      audit.record({ kind: 'simulation.create', actor, target: facilityId, after: devices });
      houses.save(actor, { unique_id: facilityId, ...bindingsOf(facility, chosen, devices) });
      return devices;
    });
    await this.#tell(made);
    return this.get(facilityId);
  }

  /** Throws `not_found`, also where the house is not simulated. */
  async change(actor: Actor, facilityId: string, patch: SimulationPatch): Promise<HouseSimulation> {
    const { transact, inputs, outputs, audit } = this.#options;
    const changed = transact(() => {
      const before = this.#ownOf(facilityId);
      const after = {
        inputs: before.inputs.map((one) => ({ ...one, options: withOptions(one, patch) })),
        outputs: before.outputs.map((one) => ({ ...one, options: withOptions(one, patch) })),
      };
      for (const input of after.inputs) inputs.update(input);
      for (const output of after.outputs) outputs.update(output);
      audit.record({ kind: 'simulation.change', actor, target: facilityId, before, after });
      return after;
    });
    await this.#tell(changed);
    return this.get(facilityId);
  }

  /**
   * Takes the devices and their bindings away, or nothing. Throws `not_found`, `in_use` with what else needs one of
   * them.
   */
  async remove(actor: Actor, facilityId: string): Promise<HouseSimulation> {
    const { transact, inputs, outputs, audit, houses } = this.#options;
    const gone = transact(() => {
      const own = this.#ownOf(facilityId);
      const ids = new Set([...own.inputs, ...own.outputs].map(({ unique_id }) => unique_id));
      houses.save(actor, { unique_id: facilityId, ...without(houses.get(facilityId), ids) });
      for (const id of ids) refuseUsedDevice(id, this.#options);
      for (const { unique_id } of own.inputs) inputs.remove(unique_id);
      for (const { unique_id } of own.outputs) outputs.remove(unique_id);
      audit.record({ kind: 'simulation.delete', actor, target: facilityId, before: own });
      return own;
    });
    await this.#tell(gone);
    return this.get(facilityId);
  }

  #offered(facility: Facility): Omit<OfferedPart, 'device'>[] {
    const { capacity } = this.#options;
    return withKnownMaterials(() => houseEquipment(facility, capacity.contextOf(facility)));
  }

  #devicesOf(facility: Facility, chosen: readonly OfferedPart[], sent: SimulationCreate): OwnDevices {
    const { crop, speed, weather_file, part_names, measurement_names } = sent;
    const { lat, lng } = this.#options.capacity.contextOf(facility);
    const options: Omit<SimulatedOptions, 'part'> = {
      house: facility.unique_id,
      facility: facility.unique_id,
      lat,
      lng,
      crop,
      speed,
      weather_file,
    };
    const made = { name: facility.name, language: this.#options.language(), options, part_names, measurement_names };
    return {
      inputs: sensorParts.map((part) => simulatedInput(part, made)),
      outputs: chosen.map(({ part }) => simulatedOutput(part, made)),
    };
  }

  #own(facilityId: string): OwnDevices {
    const { inputs, outputs } = this.#options;
    const isOwn = (one: Input | Output): boolean => optionsOf(one).facility === facilityId;
    return { inputs: inputs.list().filter(isOwn), outputs: outputs.list().filter(isOwn) };
  }

  #ownOf(facilityId: string): OwnDevices {
    this.#options.houses.get(facilityId);
    const own = this.#own(facilityId);
    if (own.inputs.length + own.outputs.length === 0) throw new Refusal('not_found', 'the house is not simulated');
    return own;
  }

  #nameOf(id: string): string {
    const { inputs, outputs } = this.#options;
    return inputs.get(id)?.name ?? outputs.get(id)?.name ?? id;
  }

  async #tell({ inputs, outputs }: OwnDevices): Promise<void> {
    const devices = [...outputs, ...inputs];
    await Promise.all(devices.map(({ unique_id }) => this.#options.daemon.changed(unique_id)));
  }
}

function withOptions(device: Input | Output, { weather_file, ...patch }: SimulationPatch): Output['options'] {
  const { weather_file: present, ...options } = optionsOf(device);
  const file = weather_file === undefined ? present : (weather_file ?? undefined);
  return { ...storedOptions(options), ...storedOptions({ ...patch, weather_file: file }) };
}

function named({ unique_id, name }: Input | Output): { unique_id: string; name: string } {
  return { unique_id, name };
}

function shortOf(device: Output | null): OfferedPart['device'] {
  return device === null ? null : named(device);
}

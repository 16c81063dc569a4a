import { isoOf } from '../../contract/time.ts';
import type { ControllerSettings } from '../../contract/controller-kind.ts';
import { allKinds, type ControllerWord } from '../../contract/controller-kinds.ts';
import type { Device } from '../../contract/device.ts';
import { driverOf } from '../../contract/drivers/index.ts';
import type { Input } from '../../contract/input.ts';
import type { Output } from '../../contract/output.ts';
import { Refusal } from '../../contract/errors.ts';
import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import type { InputRepository } from '../../db/repositories/input.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { Placement, PlacementRepository } from '../../db/repositories/placement.ts';
import { channelResolution } from '../../domain/control/channel-resolution.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import type { MeasuredChannel } from '../../contract/measured.ts';
import { staleAfter_s } from '../../contract/safety.ts';
import type { LiveCache } from '../live/live.ts';

interface DeviceServiceOptions {
  inputs: InputRepository;
  outputs: OutputRepository;
  kinds: ControllerStores;
  measured: Pick<MeasuredDevices, 'get'>;
  placements: Pick<PlacementRepository, 'placements' | 'mapStanding'>;
  live: Pick<LiveCache, 'reading' | 'outputState'>;
}

type Locations = (deviceId: string) => Device['locations'];

/** Devices as maps and binding forms need them: what they are, their live state, their places. */
export class DeviceService {
  readonly #options: DeviceServiceOptions;

  constructor(options: DeviceServiceOptions) {
    this.#options = options;
  }

  /**
   * All devices; with a map, only the locations on it. Throws `not_found` for an unknown map, like the two methods
   * after it.
   */
  devices(mapId?: string): Device[] {
    const locations = this.#locations(mapId);
    const others = allKinds.filter(({ word }) => word !== 'input' && word !== 'output');
    return [
      ...this.#options.inputs.list().map((input) => this.#fromInput(input, locations)),
      ...this.#options.outputs.list().map((output) => this.#fromOutput(output, locations)),
      ...others.flatMap(({ word }) => this.#list(word).map((one) => this.#fromOther(word, one, locations))),
    ];
  }

  inputs(mapId?: string): Device[] {
    const locations = this.#locations(mapId);
    return this.#options.inputs.list().map((input) => this.#fromInput(input, locations));
  }

  outputs(mapId?: string): Device[] {
    const locations = this.#locations(mapId);
    return this.#options.outputs.list().map((output) => this.#fromOutput(output, locations));
  }

  /** Whether a device of any kind has this id, in lower case. */
  exists(id: string): boolean {
    return this.#get(id) !== undefined;
  }

  /** The channel numbers of a device of any kind (lower-case id); undefined when there is none. */
  channelsOf(id: string): number[] | undefined {
    const found = this.#get(id);
    return found && channelsOf(found);
  }

  /** The channel numbers of all devices, by id. */
  deviceChannels(): Map<string, number[]> {
    const all = allKinds.flatMap(({ word }) => this.#list(word));
    return new Map(all.map((one) => [one.unique_id, channelsOf(one)]));
  }

  #list(word: ControllerWord): ControllerSettings[] {
    return this.#options.kinds[word].list();
  }

  #get(id: string): ControllerSettings | undefined {
    const { kinds } = this.#options;
    return allKinds
      .map(({ word }): ControllerSettings | undefined => kinds[word].get(id))
      .find((one) => one !== undefined);
  }

  #locations(mapId: string | undefined): Locations {
    if (mapId !== undefined && this.#options.placements.mapStanding(mapId) !== 'living') {
      throw new Refusal('not_found', `there is no map ${mapId}`);
    }
    const byDevice = Map.groupBy(this.#options.placements.placements(mapId), (placement) => placement.device_id);
    return (deviceId) => (byDevice.get(deviceId) ?? []).map(toLocation);
  }

  #fromInput(input: Input, locations: Locations): Device {
    const { unique_id, name, driver, options, is_activated } = input;
    const offers = driverOf(driver)?.input?.(options) ?? [];
    const channels = input.channels.map((one) => {
      const resolution = channelResolution(one, offers.find(({ channel }) => channel === one.channel)?.resolution);
      return { ...this.#measuredChannel(unique_id, one), ...(resolution !== undefined && { resolution }) };
    });
    const last = channels[0]?.last ?? null;
    return {
      unique_id,
      kind: 'input',
      name,
      driver,
      channels,
      is_activated,
      stale_after_s: staleAfter_s(input),
      last,
      locations: locations(unique_id),
    };
  }

  #measuredChannel(deviceId: string, { channel, name, measurement_id, measurement, unit }: MeasuredChannel) {
    const reading = this.#options.live.reading(deviceId, measurement_id);
    const last = reading && { value: reading.value, quality: reading.quality, time: isoOf(reading.time_ms) };
    return { channel, name, measurement_id, measurement, unit, last: last ?? null };
  }

  /** Controllers have a channel for each series that they store. */
  #fromOther(kind: ControllerWord, settings: OtherSettings, locations: Locations): Device {
    const { unique_id, name, is_activated, driver = '', facility_uuid } = settings;
    const stored = this.#options.measured.get(unique_id);
    const channels = (stored?.channels ?? []).map((one) => this.#measuredChannel(unique_id, one));
    return {
      unique_id,
      kind,
      name,
      driver,
      channels,
      is_activated,
      ...(facility_uuid !== undefined && { facility_uuid }),
      ...(stored && { stale_after_s: staleAfter_s(stored) }),
      locations: locations(unique_id),
    };
  }

  #fromOutput(output: Output, locations: Locations): Device {
    const { unique_id, name, driver, is_activated } = output;
    return {
      unique_id,
      kind: 'output',
      name,
      driver,
      channels: output.channels.map(({ channel, name: channelName, kind, pwm_cycle_s }) => ({
        channel,
        name: channelName,
        kind,
        is_cycled: kind === 'switch' && pwm_cycle_s !== null,
      })),
      is_activated,
      state: output.channels.map(({ channel }) => this.#options.live.outputState(unique_id, channel)),
      locations: locations(unique_id),
    };
  }
}

/** A display has a driver, a climate program a house. */
type OtherSettings = ControllerSettings & { driver?: string; facility_uuid?: string };

/** The channels of inputs and outputs; other kinds have none. */
function channelsOf(device: ControllerSettings & Partial<Pick<Input | Output, 'channels'>>): number[] {
  return (device.channels ?? []).map(({ channel }) => channel);
}

function toLocation({ map_uuid, feature_uuid, lat, lng }: Placement): Device['locations'][number] {
  return { map_uuid, feature_uuid, lat, lng };
}

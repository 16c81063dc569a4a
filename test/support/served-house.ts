import type { ClimateLive } from '../../server/contract/climate-live.ts';
import type { Facility } from '../../server/contract/facility.ts';
import type { ServiceClient, SimulatedSite } from './service-client.ts';

/** The house of the simulated site in a running service, as its equipment is changed under its climate program. */
export class ServedHouse {
  /** Of its climate program. */
  readonly path: string;
  readonly #client: ServiceClient;
  readonly #site: SimulatedSite;

  constructor(client: ServiceClient, site: SimulatedSite) {
    this.#client = client;
    this.#site = site;
    this.path = `/api/geo/facility/${site.facility.unique_id}/climate`;
  }

  async live(): Promise<ClimateLive> {
    return (await this.#client.ask('GET', `${this.path}/live`)).body as ClimateLive; // of this house
  }

  /** Everything that the sensors of this part say is so much more from now on: of the station, a storm. */
  async misread(part: 'indoor' | 'weather', by: number): Promise<void> {
    const { unique_id, options } = this.#sensorOf(part);
    const fault = { kind: 'offset', by };
    await this.#client.ask('PATCH', `/api/settings/inputs/${unique_id}`, { options: { ...options, fault } });
  }

  /** The vent is moved by a motor of two relays from now on, which needs 20 s from end to end; returns its id. */
  async motorise(part: string): Promise<string> {
    const vent = this.#site.outputs.find(({ options }) => options['part'] === part);
    if (vent === undefined) throw new Error(`the preset has a ${part}`);
    const channels = [{ channel: 0, kind: 'dimmer', motor_close_channel: 1, motor_travel_s: 20 }];
    const options = { ...vent.options, motor_s: 20 };
    await this.#client.ask('PATCH', `/api/settings/outputs/${vent.unique_id}`, { options, channels });
    return vent.unique_id;
  }

  #sensorOf(part: 'indoor' | 'weather') {
    const found = this.#site.inputs.find(({ options }) => options['part'] === part);
    if (found === undefined) throw new Error(`the preset has no ${part} sensor`);
    return found;
  }

  /** The sensors of the weather station are those outdoors of the house. */
  async bindStation(): Promise<void> {
    const { unique_id, sensors } = this.#site.facility;
    const { unique_id: device_id, channels } = this.#sensorOf('weather');
    const roles = {
      temperature: 'outdoor_temp',
      humidity: 'outdoor_humidity',
      wind_speed: 'outdoor_wind',
      radiation: 'outdoor_solar',
    } as const;
    const own = Object.entries(roles).map(([measurement, role]) => ({
      role,
      name: role,
      device_id,
      measurement_id: channels.find((one) => one.measurement === measurement)?.measurement_id,
    }));
    await this.#client.ask('POST', '/api/geo/facility', { unique_id, sensors: [...sensors, ...own] });
  }

  /** On a shape of its own, without any equipment. */
  async addHouse(name: string): Promise<string> {
    const ring = [
      [127.001, 37.5],
      [127.0011, 37.5],
      [127.0011, 37.5004],
      [127.001, 37.5],
    ];
    const geometry = { type: 'Polygon', coordinates: [ring] };
    const added = [{ type: 'Feature', geometry, properties: { type: 'facility', name } }];
    const saved = await this.#client.ask('POST', '/api/geo/overlays/delta', { geo_id: this.#site.map_uuid, added });
    const [shape_uuid] = (saved.body as { features: string[] }).features; // the save's result
    const { envelope } = this.#site.facility;
    const bare = { name, shape_uuid, preset: 'greenhouse', structure: 'single', bay_count: 1, envelope };
    const made = await this.#client.ask('POST', '/api/geo/facility', bare);
    return (made.body as Facility).unique_id; // made now
  }
}

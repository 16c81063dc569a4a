import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alarmLimits } from '../../server/contract/alarm-limits.ts';
import type { Facility } from '../../server/contract/facility.ts';
import type { Input } from '../../server/contract/input.ts';
import type { Output } from '../../server/contract/output.ts';
import type { SimulatedGreenhouse } from '../../server/contract/preset.ts';
import { LanClient, type ServiceAnswer } from './lan-client.ts';
import type { RunningService } from './running-service.ts';

export const admin = { username: 'grower', password: 'violets-under-glass' };

/** A program on the LAN with an administrator's key, for which any answer but a success is an error. */
export class ServiceClient {
  readonly url: string;
  readonly key: string;
  readonly ca: string;
  /** Of the login by which the key was made, as `name=value`; empty without one. */
  readonly cookie: string;
  readonly #lan: LanClient;

  private constructor(service: Pick<RunningService, 'url' | 'dataDirectory'>, key = '', cookie = '') {
    this.url = service.url;
    this.key = key;
    this.cookie = cookie;
    this.ca = readFileSync(join(service.dataDirectory, 'tls/ca.crt'), 'utf8');
    this.#lan = new LanClient({ ...service, ...(key && { key }) });
  }

  static withKey(service: Pick<RunningService, 'url' | 'dataDirectory'>, key: string): ServiceClient {
    return new ServiceClient(service, key);
  }

  /** Creates the first administrator and a key of theirs. */
  static async setUp(service: RunningService): Promise<ServiceClient> {
    const first = new ServiceClient(service);
    await first.ask('POST', '/api/auth/setup', { ...admin, setup_token: service.setupToken });
    first.close();
    return ServiceClient.withNewKey(service);
  }

  /** The administrator with one more key. */
  static async withNewKey(service: Pick<RunningService, 'url' | 'dataDirectory'>): Promise<ServiceClient> {
    const first = new ServiceClient(service);
    const login = await first.ask('POST', '/api/auth/login', admin);
    const { csrf_token, user } = login.body as { csrf_token: string; user: { unique_id: string } }; // the session
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
    const path = `/api/settings/users/${user.unique_id}/api_keys`;
    const made = await first.ask('POST', path, { name: 'test' }, { cookie, 'x-csrf-token': csrf_token });
    first.close();
    return new ServiceClient(service, (made.body as { key: string }).key, cookie); // a new key
  }

  /** Sends a request; throws if the answer is not a success. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ServiceAnswer> {
    const answer = await this.#lan.request(method, path, { body, headers });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  close(): void {
    this.#lan.close();
  }
}

export interface SimulatedSite {
  map_uuid: string;
  facility: Facility;
  inputs: Input[];
  outputs: Output[];
}

/** A map with one house that binds the devices of the simulated greenhouse. */
export async function makeSimulatedSite(
  client: ServiceClient,
  speed = 1,
  names: SimulatedGreenhouse = {},
): Promise<SimulatedSite> {
  const view = { name: 'Farm', lat: 37.5, lng: 127, zoom: 18 };
  const { map_uuid } = (await client.ask('POST', '/api/geo/designs', view)).body as { map_uuid: string }; // a design
  return { map_uuid, ...(await makeSimulatedHouse(client, map_uuid, { ...names, speed })) };
}

/** The nth house of a map, beside the others, that binds the devices of a simulated greenhouse of its own. */
export async function makeSimulatedHouse(
  client: ServiceClient,
  map_uuid: string,
  names: SimulatedGreenhouse,
  nth = 1,
): Promise<Omit<SimulatedSite, 'map_uuid'>> {
  const preset = await client.ask('POST', '/api/settings/presets/simulated_greenhouse', names);
  const { inputs, outputs } = preset.body as { inputs: Input[]; outputs: Output[] }; // the preset's answer
  const name = `House ${nth}`;
  const west = 127 + 0.0002 * (nth - 1);
  const house = {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [rectangle([west, 37.5], [west + 0.0001, 37.50045])] },
    properties: { type: 'facility', name },
  };
  const saved = await client.ask('POST', '/api/geo/overlays/delta', { geo_id: map_uuid, added: [house] });
  const [shape_uuid] = (saved.body as { features: string[] }).features; // the save's result
  const made = await client.ask('POST', '/api/geo/facility', {
    name,
    shape_uuid,
    preset: 'greenhouse',
    structure: 'single',
    bay_count: 1,
    envelope: { material: 'vinyl_double', bay_width_m: 8, length_m: 50, eave_height_m: 2.5, ridge_height_m: 4 },
    sensors: (['indoor_temp', 'indoor_humidity', 'indoor_co2'] as const).map((role, channel) => ({
      role,
      device_id: inputs[0]?.unique_id,
      measurement_id: inputs[0]?.channels[channel]?.measurement_id,
      name: role,
    })),
    actuators: (['heater', 'exhaust_fan', 'side_vent', 'roof_vent'] as const).map((role, at) => ({
      role,
      device_id: outputs[at]?.unique_id,
      name: role,
    })),
  });
  return { facility: made.body as Facility, inputs, outputs }; // the contract's facility
}

/**
 * Removes every limit of the air: a simulated house has the weather of the hour, which would hold its vents shut on a
 * winter's night.
 */
export async function liftLimits(client: ServiceClient): Promise<void> {
  const all = Object.entries(alarmLimits.shape).filter(([, limit]) => limit.safeParse(null).success);
  const alarm_limits = Object.fromEntries(all.map(([name]) => [name, null]));
  await client.ask('POST', '/api/geo/settings', { alarm_limits });
}

function rectangle([west, south]: [number, number], [east, north]: [number, number]): number[][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

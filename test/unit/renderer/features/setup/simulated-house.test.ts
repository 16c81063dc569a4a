// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import { useSimulatedHouse } from '../../../../../renderer/features/setup/simulated-house.ts';
import { climatePresets } from '../../../../../server/domain/climate-program/presets.ts';
import { mounted } from '../../ui/mounted.ts';

interface Bound {
  device_id: string;
}

interface House {
  unique_id: string;
  name: string;
  shape_uuid: string;
  sensors: Bound[];
  actuators: Bound[];
}

interface Sent {
  unique_id?: string;
  facility_uuid?: string;
  added?: { properties: { unique_id: string; name: string } }[];
}

const output = (unique_id: string, name: string, driver: string): object => ({
  unique_id,
  name,
  driver,
  kind: 'output',
  is_activated: true,
  locations: [],
  channels: [{ channel: 0, name: 'Channel 0' }],
});
const boiler = output('boiler', 'Boiler heater', 'modbus');
const simulatedHeater = output('simulated', 'Simulated heater', 'simulated');
const realHouse: House = {
  unique_id: 'real',
  name: 'House 1',
  shape_uuid: 'real-shape',
  sensors: [],
  actuators: [{ device_id: 'boiler' }],
};

describe('the simulated house of the setup', () => {
  let devices: object[];
  let houses: House[];
  let shapes: object[];
  let programs: Set<string>;
  /** What was written, by method and path. */
  let writes: string[];
  /** Paths that store what they are sent, and whose answer is lost. */
  let lost: Set<string>;
  let crops: typeof climatePresets;
  let make: ReturnType<typeof useSimulatedHouse>;

  const stores: Record<string, (sent: Sent) => object> = {
    '/api/settings/presets/simulated_greenhouse': () => {
      devices.push(simulatedHeater);
      return {};
    },
    '/api/geo/overlays/delta': ({ added = [] }) => {
      const [drawn] = added;
      if (drawn !== undefined) shapes.push(drawn);
      return {};
    },
    '/api/geo/facility': (sent) => {
      const house = { ...(sent as House), unique_id: `made-${houses.length}` };
      houses.push(house);
      return house;
    },
    '/api/geo/designs': () => ({ map_uuid: 'made-map' }),
    '/api/settings/climates': ({ facility_uuid = '' }) => {
      programs.add(facility_uuid);
      return {};
    },
  };

  function read(path: string, isTrash: boolean): object | undefined {
    const house = /facility\/([^/]+)\/climate$/.exec(path)?.[1];
    if (house !== undefined) return programs.has(house) ? {} : undefined;
    const [designs, facilities] = isTrash ? [[], []] : [[{ map_uuid: 'map', name: 'Site' }], houses];
    if (path === '/api/geo/climate_presets') return { presets: crops };
    return { devices, features: shapes, designs, facilities };
  }

  function answer(method: string, { pathname, searchParams }: URL, body: string): Response {
    if (method === 'GET') {
      const found = read(pathname, searchParams.has('trash'));
      const missing = { type: 'about:blank', title: 'Not found', status: 404, code: 'not_found', detail: 'none' };
      return found === undefined ? Response.json(missing, { status: 404 }) : Response.json(found);
    }
    writes.push(`${method} ${pathname}`);
    const stored = stores[pathname]?.(JSON.parse(body) as Sent);
    if (stored === undefined) throw new Error(`nothing takes ${method} ${pathname}`);
    if (lost.delete(pathname)) throw new TypeError('the line broke');
    return Response.json(stored);
  }

  beforeEach(() => {
    [devices, houses, shapes, writes] = [[], [], [], []];
    [programs, lost, crops] = [new Set(), new Set(), climatePresets];
    const page = defineComponent({
      setup() {
        make = useSimulatedHouse();
        return () => h('p');
      },
    });
    mounted(page, {
      fetch: async (address, init) => {
        const request = address instanceof Request ? address.url : String(address);
        return answer(
          init?.method ?? 'GET',
          new URL(request, 'https://site'),
          typeof init?.body === 'string' ? init.body : '{}',
        );
      },
    });
  });

  it('is made with its devices, its shape and a program that runs, and is opened the next time', async () => {
    const made = await make();
    expect(houses[0]?.actuators).toMatchObject([{ device_id: 'simulated', role: 'heater' }]);
    expect([...programs]).toEqual([made]);
    const before = writes.length;
    expect(await make()).toBe(made);
    expect(writes).toHaveLength(before);
  });

  it('stands beside a real house, which keeps its devices and gets no program', async () => {
    devices.push(boiler);
    houses.push(realHouse);
    const made = await make();
    expect(made).not.toBe('real');
    expect(houses[1]?.actuators.map(({ device_id }) => device_id)).toEqual(['simulated']);
    expect([...programs]).toEqual([made]);
  });

  it('takes no real device where there is no house yet', async () => {
    devices.push(boiler);
    await make();
    expect(houses[0]?.actuators.map(({ device_id }) => device_id)).toEqual(['simulated']);
  });

  it('is known again by its devices where it was made in another language or has another name now', async () => {
    const made = await make();
    for (const house of houses) house.name = '가상 온실';
    for (const shape of shapes) (shape as { properties: { name: string } }).properties.name = 'Hof';
    expect(await make()).toBe(made);
    expect([devices.length, houses.length]).toEqual([1, 1]);
  });

  it('leaves a house of its name alone that has a real device', async () => {
    devices.push(boiler, simulatedHeater);
    const actuators = [{ device_id: 'simulated' }, { device_id: 'boiler' }];
    houses.push({ ...realHouse, name: 'Simulated greenhouse', actuators });
    const made = await make();
    expect(made).not.toBe('real');
    expect([...programs]).toEqual([made]);
  });

  it.each(Object.keys(stores).filter((path) => path !== '/api/geo/designs'))(
    'goes on where the answer of %s was lost',
    async (path) => {
      lost.add(path);
      await expect(make()).rejects.toThrow();
      const made = await make();
      expect([devices.length, shapes.length, houses.length]).toEqual([1, 1, 1]);
      expect([...programs]).toEqual([made]);
    },
  );

  it('says so where there is no program to run it', async () => {
    crops = [];
    await expect(make()).rejects.toThrow(/tomato/);
  });
});

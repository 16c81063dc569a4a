import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bodyExamples } from '../../../../server/contract/examples.ts';
import type { FeatureCollection } from '../../../../server/contract/overlay.ts';
import { readNetwork } from '../../../../server/contract/pipe-inp.ts';
import { pipePlan, type PipePlan } from '../../../../server/contract/pipe.ts';
import { square } from '../../../support/maps.ts';
import { testWholeApi, wholeKey } from '../../../support/whole-api.ts';

type Position = [number, number];

interface Problem {
  code: string;
  device_ids?: string[];
  errors?: { path: string; code: string }[];
}

/** 1e-5 degrees are 1.1 m to the north and 0.89 m to the east here. */
const [lng0, lat0] = [127, 37];
const place = (east: number, north: number): Position => [lng0 + east * 1e-5, lat0 + north * 1e-5];

async function farm() {
  const api = await testWholeApi();
  const post = (path: string, body: object) => api.request('POST', path, { key: wholeKey, body });
  const made = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await post(path, body);
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.body as Record<string, unknown>; // what the call declares
  };
  const newMap = async (): Promise<string> =>
    String((await made('/api/geo/designs', { name: randomUUID(), lat: lat0, lng: lng0, zoom: 18 }))['map_uuid']);
  const geo_id = await newMap();
  const draw = (geometry: object, properties: object, map = geo_id) =>
    made('/api/geo/overlays/delta', { geo_id: map, added: [{ type: 'Feature', geometry, properties }] });
  const device = async (at?: Position, map = geo_id): Promise<string> => {
    const id = String((await made('/api/settings/outputs', { name: randomUUID(), driver: 'simulated' }))['unique_id']);
    if (at) await draw({ type: 'Point', coordinates: at }, { type: 'device', device_id: id }, map);
    return id;
  };
  const ask = (body: object, query = '') => post(`/api/geo/generate-pipes${query}`, { geo_id, ...body });
  const plan = async (body: object): Promise<PipePlan> => {
    const answer = await ask(body);
    if (answer.status !== 200) throw new Error(answer.text);
    return pipePlan.parse(answer.body);
  };
  const features = async (): Promise<FeatureCollection> => {
    const answer = await api.request('GET', `/api/geo/overlays?geo_id=${geo_id}&type=pipe`, { key: wholeKey });
    return answer.body as FeatureCollection; // what the call declares
  };
  return { api, made, newMap, geo_id, draw, device, ask, plan, features };
}

describe('POST generate-pipes', () => {
  it('joins devices, around a house, and tells what it takes', async () => {
    const { device, draw, plan } = await farm();
    const device_ids = [await device(place(0, 50)), await device(place(200, 50)), await device(place(200, 90))];
    const straight = await plan({ device_ids, options: { axis_deg: 90 } });
    expect(straight.total_length_m).toBeCloseTo(straight.lower_bound_m, 3);
    expect(straight.total_length_m).toBeCloseTo(178.1 + 44.4, 0);
    await draw(square(place(50, 0)[0], lat0), { type: 'facility', name: 'East house' });
    const around = await plan({ device_ids, options: { axis_deg: 90, clearance_m: 1 } });
    expect(around.total_length_m).toBeGreaterThan(straight.total_length_m + 10);
    expect(around.method).toMatchObject({ metric: 'rectilinear', obstacle_count: 1, clearance_m: 1 });
    expect(around.hydraulics).toBeNull();
    expect(around.bill_of_materials[0]).toEqual({
      item: 'pipe',
      diameter_mm: null,
      price: null,
      cost: null,
      quantity: Math.ceil(around.total_length_m * 1.05),
      unit: 'm',
    });
    const free = await plan({ device_ids, options: { orthogonal: false, obstacles: false } });
    expect(free.total_length_m).toBeLessThan(straight.total_length_m);
  });

  it('leads from the source to each device: mains to several, branches to one', async () => {
    const { device, plan } = await farm();
    const device_ids = [await device(place(0, 0)), await device(place(100, 40)), await device(place(100, -40))];
    const { features, source_device_id } = await plan({ device_ids, source_device_id: device_ids[0] });
    expect(source_device_id).toBe(device_ids[0]);
    const ends = features.map(({ properties: { from, to, role, serves } }) => [from, to, role, serves]);
    expect(ends).toHaveLength(3);
    expect(ends).toEqual(
      expect.arrayContaining([
        [device_ids[0], 'J1', 'main', 2],
        ['J1', device_ids[1], 'branch', 1],
        ['J1', device_ids[2], 'branch', 1],
      ]),
    );
  });

  it('sizes pipes so that each valve has its pressure and flow, at the prices of the settings', async () => {
    const { api, device, plan, ask } = await farm();
    const pump = await device(place(0, 0));
    const valves = [await device(place(150, 0)), await device(place(300, 60)), await device(place(300, -60))];
    const wanted = { flow_l_h: 4000, pressure_bar: 1.5, source_pressure_bar: 2 };
    const device_ids = [pump, ...valves];
    const together = await plan({ device_ids, hydraulics: wanted });
    const groups = valves.map((id) => [id]);
    const prices = [{ item: 'valve', diameter_mm: 40, price: 20 }];
    await api.request('POST', '/api/geo/settings', {
      key: wholeKey,
      body: { pipe_prices: { currency: 'EUR', prices } },
    });
    const inTurn = await plan({ device_ids, hydraulics: { ...wanted, groups } });
    for (const { hydraulics, features } of [together, inTurn]) {
      expect(hydraulics?.devices.map(({ device_id }) => device_id).toSorted()).toEqual(valves.toSorted());
      for (const { pressure_bar, flow_l_h } of hydraulics?.devices ?? []) {
        expect(pressure_bar).toBeGreaterThanOrEqual(1.5);
        expect(flow_l_h).toBeCloseTo(4000, 6);
      }
      for (const { properties } of features) expect(properties.velocity_m_s).toBeLessThanOrEqual(1.5);
    }
    expect(together.hydraulics).toMatchObject({ sized_by: 'weight', groups: [{}] });
    expect(together.hydraulics?.duty?.flow_m3_h).toBeCloseTo(12, 6);
    expect(inTurn.hydraulics?.groups.map(({ flow_m3_h }) => flow_m3_h.toFixed(6))).toEqual(Array(3).fill('4.000000'));
    const widest = ({ features }: PipePlan): number =>
      Math.max(...features.map(({ properties }) => properties.diameter_mm ?? 0));
    expect(widest(inTurn)).toBeLessThan(widest(together));
    const valve = inTurn.bill_of_materials.filter(({ item }) => item === 'valve');
    expect(valve.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(3);
    expect(inTurn.cost.currency).toBe('EUR');
    expect(inTurn.cost.total).toBe(3 * 20);
    const { hydraulics: pumped } = await plan({ device_ids, hydraulics: { flow_l_h: 4000, pressure_bar: 1.5 } });
    expect(Math.min(...(pumped?.devices ?? []).map(({ pressure_bar }) => pressure_bar))).toBeCloseTo(1.5, 2);
    const weak = { ...wanted, source_pressure_bar: 1.5 };
    expect((await ask({ device_ids, hydraulics: weak })).body).toMatchObject({
      code: 'pressure_unreachable',
      status: 400,
    });
    expect((await ask({ device_ids, hydraulics: { ...wanted, groups: [[randomUUID()]] } })).body).toMatchObject({
      errors: [{ path: 'hydraulics.groups[0]' }],
    });
  });

  it('lays even drip lines in a zone, which say what its valve needs', async () => {
    const { device, draw, plan, ask } = await farm();
    const device_ids = [await device(place(0, 0)), await device(place(98, 20)), await device(place(0, 60))];
    const [, valve = '', other] = device_ids;
    const drawn = await draw(square(place(100, 0)[0], lat0), { type: 'zone', name: 'Bed' });
    const zone_id = String((drawn['features'] as string[])[0]);
    const lines = { spacing_m: 2, emitter_spacing_m: 1, emitter_flow_l_h: 3.2, angle_deg: 90, inner_mm: 17.6 };
    const hydraulics = { flow_l_h: 500, pressure_bar: 1, zones: [{ device_id: valve, zone_id, ...lines }] };
    const found = await plan({ device_ids, hydraulics });
    const [zone] = found.hydraulics?.zones ?? [];
    // A square of 100e-5 degrees: 111 m to the north, 88.9 m to the east.
    expect(zone).toMatchObject({ device_id: valve, zone_id, lines: 55, emitters: 55 * 89 });
    expect(zone?.uniformity_pct).toBeGreaterThanOrEqual(90);
    expect(zone?.flow_m3_h).toBeCloseTo((55 * 89 * 3.2) / 1000, 1);
    expect(zone?.application_mm_h).toBeCloseTo(1.6, 6);
    const atValve = found.hydraulics?.devices.find(({ device_id }) => device_id === valve);
    expect(atValve?.pressure_bar).toBeGreaterThanOrEqual((atValve?.needed_bar ?? 0) - 1e-6);
    expect(atValve?.needed_bar).toBeGreaterThan(1);
    const laterals = found.features.filter(({ properties }) => properties.role === 'lateral');
    expect(laterals).toHaveLength(55);
    expect(found.bill_of_materials).toContainEqual({
      item: 'emitter',
      diameter_mm: null,
      quantity: 55 * 89,
      unit: 'piece',
      price: null,
      cost: null,
    });
    const tooLong = { ...hydraulics, zones: [{ device_id: valve, zone_id, ...lines, inner_mm: 8 }] };
    expect((await ask({ device_ids, hydraulics: tooLong })).body).toMatchObject({
      code: 'uneven_watering',
      device_ids: [valve],
    });
    const strange = { ...hydraulics, zones: [{ device_id: other, zone_id: other, ...lines }] };
    expect((await ask({ device_ids, hydraulics: strange })).body).toMatchObject({ code: 'unknown_reference' });
  });

  it('leads to the label point of the house that binds a device', async () => {
    const { device, draw, made, plan } = await farm();
    const [pump, valve, other] = [await device(place(0, 0)), await device(), await device()];
    const drawn = await draw(square(place(100, 0)[0], lat0), { type: 'facility', name: 'House' });
    const actuators = [valve, other].map((device_id) => ({ role: 'roof_vent', device_id, name: 'Valve' }));
    await made('/api/geo/facility', {
      ...(bodyExamples['POST /api/geo/facility'] as object), // as it is written there
      shape_uuid: (drawn['features'] as string[])[0],
      actuators,
    });
    const { features } = await plan({ device_ids: [pump, valve, other] });
    const last = features.at(-1)?.geometry.coordinates as Position[]; // of a line
    expect(features[0]?.properties).toMatchObject({ serves: 2 });
    expect(last.at(-1)?.[0]).toBeCloseTo(place(150, 0)[0], 4);
  });

  it('saves on demand alone, and takes the place of an earlier plan', async () => {
    const { device, plan, features } = await farm();
    const device_ids = [await device(place(0, 0)), await device(place(100, 40))];
    await plan({ device_ids });
    expect((await features()).features).toEqual([]);
    const first = await plan({ device_ids, save: true });
    expect(first.revision).toBe((await features()).revision);
    const second = await plan({ device_ids, save: true, replaces: first.plan_id });
    const kept = (await features()).features;
    expect(kept.map(({ properties }) => properties['plan_id'])).toEqual([second.plan_id]);
    expect(kept[0]?.properties).toMatchObject({ from: device_ids[0], to: device_ids[1], type: 'pipe' });
  });

  it('joins what lies there, feeds from several sources, and goes where it is told to', async () => {
    const { device, draw, plan, ask, features } = await farm();
    const [east, west] = [await device(place(0, 0)), await device(place(1000, 0))];
    const [near, far] = [await device(place(200, 50)), await device(place(900, 50))];
    const line = { type: 'LineString', coordinates: [place(0, 0), place(500, 0)] };
    const drawn = await draw(line, { type: 'pipe', name: 'Old main', diameter_mm: 63 });
    const [old = ''] = drawn['features'] as string[];
    const asked = {
      device_ids: [near, far],
      source_device_ids: [east, west],
      options: { reuse: [old], axis_deg: 90 },
      hydraulics: { flow_l_h: 2000, pressure_bar: 1, devices: [{ device_id: west, elevation_m: -2 }] },
    };
    const found = await plan(asked);
    expect(found.total_length_m).toBeCloseTo((50 + 50) * 1.11 + 100 * 0.89, 0);
    expect(found.reused_length_m).toBeCloseTo(200 * 0.89, 0);
    expect(found.lower_bound_m).toBeLessThanOrEqual(found.total_length_m);
    expect(found.source_device_ids).toEqual([east, west]);
    const reused = found.features.filter(({ properties }) => properties.reuses === old);
    expect(reused.map(({ properties }) => properties.diameter_mm)).toEqual([63]);
    const bought = found.bill_of_materials.filter(({ item }) => item === 'pipe');
    expect(bought.reduce((sum, { quantity }) => sum + quantity, 0)).toBeLessThan(found.total_length_m * 1.05 + 3);
    expect(found.hydraulics?.sources.map(({ device_id }) => device_id)).toEqual([east, west]);
    expect(found.hydraulics?.sources.map(({ flow_m3_h }) => flow_m3_h.toFixed(3))).toEqual(['2.000', '2.000']);
    for (const { pressure_bar } of found.hydraulics?.devices ?? []) expect(pressure_bar).toBeGreaterThan(0.999);
    const [low, high] = found.hydraulics?.sources.map(({ pressure_bar }) => pressure_bar) ?? [];
    expect(high).toBeGreaterThan((low ?? 0) + 0.15);
    expect(found.hydraulics?.duty).toBeNull();
    const [shallow = NaN, deep] = found.hydraulics?.sources.map(({ head_m }) => head_m) ?? [];
    expect(deep).toBeGreaterThan(shallow + 1.5);
    const unknown = await draw(line, { type: 'pipe', name: 'Of no known size', diameter_mm: 61 });
    const reuse = [old, ...(unknown['features'] as string[])];
    expect((await ask({ ...asked, options: { ...asked.options, reuse } })).body).toMatchObject({
      code: 'invalid_field',
      errors: [{ path: 'options.reuse[1]' }],
    });
    await plan({ ...asked, save: true });
    expect((await features()).features.filter(({ properties }) => properties['reuses'] !== undefined)).toEqual([]);

    const [lat, lng] = [place(0, 100)[1], place(300, 0)[0]];
    const through = await plan({ device_ids: [east, far], options: { axis_deg: 90, via: [{ lat, lng }] } });
    expect(through.total_length_m).toBeCloseTo(900 * 0.89 + 150 * 1.11, 0);
    expect(through.features.map(({ properties: { from, to } }) => [from, to])).toEqual([[east, far]]);
    const strange = { device_ids: [east, far], options: { reuse: [randomUUID()] } };
    expect((await ask(strange)).body).toMatchObject({
      code: 'unknown_reference',
      errors: [{ path: 'options.reuse[0]' }],
    });
  });

  it('reads a network of EPANET, its own among them, and names the line that is wrong', async () => {
    const { api, device, plan } = await farm();
    const device_ids = [await device(place(0, 0)), await device(place(150, 0)), await device(place(300, 60))];
    const { hydraulics, features } = await plan({ device_ids, hydraulics: { flow_l_h: 3000, pressure_bar: 1 } });
    const inp = hydraulics?.inp ?? '';
    const read = (text: string) =>
      api.request('POST', '/api/geo/read-pipes', { key: wholeKey, body: { inp: text, at: { lat: lat0, lng: lng0 } } });
    const found = readNetwork.parse((await read(inp)).body);
    expect(found.placed_by).toBe('degrees');
    for (const [at, { properties, geometry }] of features.entries()) {
      expect(found.pipes[at]?.coordinates).toEqual(geometry.coordinates);
      expect(found.pipes[at]?.flow_m3_h).toBeCloseTo(properties.flow_m3_h ?? NaN, 4);
      expect(found.pipes[at]?.velocity_m_s).toBeCloseTo(properties.velocity_m_s ?? NaN, 4);
    }
    const line = inp.split('\n').findIndex((row) => row.startsWith('P1')) + 1;
    const spoilt = await read(inp.replace(/^P1\tN0/m, 'P1\tN77'));
    expect(spoilt).toMatchObject({ status: 400, body: { code: 'unreadable_network', faults: [{ code: 203, line }] } });
  });

  it('says which devices it cannot join, and why', async () => {
    const { device, draw, newMap, ask } = await farm();
    const [one, same, nowhere] = [await device(place(0, 0)), await device(place(0, 0)), await device()];
    const elsewhere = await device(place(0, 0), await newMap());
    const shut = await device(place(500, 50));
    const far = await device(place(0, 900));
    const ground = { type: 'infrastructure', name: 'Tank', no_trench: true };
    await draw(square(place(450, 0)[0], lat0), ground);
    const drawn = await draw(square(place(800, 0)[0], lat0), { type: 'zone', name: 'Bed' });
    const zone_id = String((drawn['features'] as string[])[0]);
    const around = await draw(square(place(440, 0)[0], lat0 - 0.0001, 0.0013), { type: 'zone', name: 'Lawn' });
    const lawn_id = String((around['features'] as string[])[0]);
    const unknown = randomUUID();
    const hydraulics = { flow_l_h: 1000, pressure_bar: 1 };
    const zone = { device_id: far, zone_id, spacing_m: 1, emitter_spacing_m: 1, emitter_flow_l_h: 2 };
    const inTank = { lat: place(500, 50)[1], lng: place(500, 50)[0] };
    /** What is asked beside the first device, what is answered, the devices that it names, and the field. */
    const cases: [string, object, string, readonly string[] | null, RegExp][] = [
      ['no such device', { device_ids: [one, unknown] }, 'unknown_reference', [unknown], /^device_ids\[1\]$/],
      ['on no map', { device_ids: [one, nowhere] }, 'device_not_placed', [nowhere], /^device_ids\[1\]$/],
      ['on another map', { device_ids: [one, elsewhere] }, 'device_on_other_map', [elsewhere], /^device_ids\[1\]$/],
      ['two at one point', { device_ids: [one, same] }, 'devices_at_one_place', [one, same], /^device_ids\[\d\]$/],
      ['no way out', { device_ids: [one, shut] }, 'no_way_for_pipes', [shut], /^device_ids\[1\]$/],
      [
        'a source that is shut in',
        { device_ids: [one, far], source_device_id: shut },
        'no_way_for_pipes',
        [shut],
        /^source/,
      ],
      [
        'forced through a tank',
        { device_ids: [one, far], options: { via: [inTank] } },
        'no_way_for_pipes',
        null,
        /^options\.via$/,
      ],
      ['one device', { device_ids: [one] }, 'invalid_field', null, /^device_ids$/],
      [
        'sources alone',
        { device_ids: [one, far], source_device_ids: [one, far] },
        'invalid_field',
        null,
        /^device_ids$/,
      ],
      [
        'thousands of points',
        { device_ids: Array.from({ length: 1001 }, () => randomUUID()) },
        ...(['invalid_field', null, /^device_ids$/] as const),
      ],
      [
        'too many points at once',
        { device_ids: Array.from({ length: 201 }, () => randomUUID()) },
        ...(['invalid_field', null, /^async$/] as const),
      ],
      [
        'zero spacing',
        { device_ids: [one, far], hydraulics: { ...hydraulics, zones: [{ ...zone, spacing_m: 0 }] } },
        ...(['invalid_field', null, /^hydraulics\.zones(\[0\]|\.0)\.spacing_m$/] as const),
      ],
      [
        'a hundred thousand emitters',
        { device_ids: [one, far], hydraulics: { ...hydraulics, zones: [{ ...zone, emitter_spacing_m: 0.05 }] } },
        ...(['invalid_field', null, /^hydraulics\.zones\[0\]\.zone_id$/] as const),
      ],
      [
        'drip lines through a tank',
        { device_ids: [one, far], hydraulics: { ...hydraulics, zones: [{ ...zone, zone_id: lawn_id, spacing_m: 3 }] } },
        ...(['zone_not_layable', [far], /^device_ids\[1\]$/] as const),
      ],
      [
        'unreachable pressure',
        { device_ids: [one, far], hydraulics: { ...hydraulics, pressure_bar: 3, source_pressure_bar: 2 } },
        ...(['pressure_unreachable', [far], /^device_ids\[1\]$/] as const),
      ],
      [
        'a rising pump curve',
        {
          device_ids: [one, far],
          hydraulics: {
            ...hydraulics,
            pump_curve: [
              { flow_m3_h: 1, head_m: 1 },
              { flow_m3_h: 2, head_m: 3 },
            ],
          },
        },
        ...(['invalid_field', null, /^hydraulics\.pump_curve$/] as const),
      ],
      [
        'a corridor that is no line',
        { device_ids: [one, far], options: { corridors: [{ feature_id: zone_id, weight: 0.5 }] } },
        ...(['unknown_reference', null, /^options\.corridors\[0\]\.feature_id$/] as const),
      ],
      [
        'an entry of no house',
        { device_ids: [one, far], options: { entries: [{ feature_id: zone_id, ...inTank }] } },
        ...(['unknown_reference', null, /^options\.entries\[0\]\.feature_id$/] as const),
      ],
    ];
    for (const [what, body, code, ids, path] of cases) {
      const answer = await ask(body);
      const problem = answer.body as Problem; // as errors are
      expect({ what, status: answer.status, code: problem.code }).toEqual({ what, status: 400, code });
      expect(problem.errors?.[0]?.path, what).toMatch(path);
      if (ids !== null) expect(problem.device_ids?.toSorted(), what).toEqual(ids.toSorted());
    }
    expect((await ask({ geo_id: randomUUID(), device_ids: [one, shut] })).status).toBe(404);
  });

  it('takes many devices as a job, which can be cancelled', async () => {
    const { api, device, draw, ask } = await farm();
    const pump = await device(place(0, 0));
    const many = Array.from({ length: 200 }, () => randomUUID());
    const refused = await ask({ device_ids: [pump, ...many] });
    expect(refused.body).toMatchObject({ code: 'invalid_field', errors: [{ path: 'async' }] });
    const valve = await device(place(50, 50));
    await draw(square(place(10, 0)[0], lat0), { type: 'facility', name: 'House' });
    const begun = await ask({ device_ids: [pump, valve] }, '?async=true');
    expect(begun.status).toBe(201);
    const { job_id } = begun.body as { job_id: string }; // what the call declares
    const ended = await api.request('DELETE', `/api/jobs/${job_id}`, { key: wholeKey });
    expect(['done', 'cancelled']).toContain((ended.body as { status: string }).status);
  });
});

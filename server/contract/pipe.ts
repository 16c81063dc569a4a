import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { jobStarted } from './job.ts';
import { hydraulics, hydraulicsRequest, pipeHydraulics } from './pipe-hydraulics.ts';
import { billItem } from './pipe-prices.ts';
import { feature } from './overlay.ts';
import { countOf, quantity, revisionNumber } from './quantity.ts';

/** More devices than these are routed as a job. */
export const mostPipeDevicesAtOnce = 200;

const mapPlace = z.strictObject({
  lat: z.number().min(-90).max(90).describe('degrees'),
  lng: z.number().min(-180).max(180).describe('degrees'),
});

const corridor = z.strictObject({
  feature_id: uuid,
  weight: z.number().min(0.05).max(1).describe('What a metre along it counts; a metre elsewhere counts 1'),
});

const entry = mapPlace.extend({ feature_id: uuid.describe('The outline of the house') });

const options = z.strictObject({
  orthogonal: z.boolean().optional().describe('Pipes run along two directions alone; true when absent'),
  axis_deg: z
    .number()
    .min(0)
    .max(360)
    .optional()
    .describe(
      'One of the two directions, degrees clockwise from north; that of the largest house, else of the site, when absent',
    ),
  obstacles: z
    .boolean()
    .optional()
    .describe('Whether houses, and infrastructure with no_trench, are gone around; true when absent'),
  clearance_m: z.number().min(0).max(50).optional().describe('How far pipes keep away from them, m; 0.5 when absent'),
  reuse: z
    .array(uuid)
    .max(2000)
    .optional()
    .describe(
      'Lines of the map where pipes lie already: new ones join them, and nothing is laid along them. With hydraulics each has inner_mm, or diameter_mm of the series',
    ),
  corridors: z
    .array(corridor)
    .max(100)
    .optional()
    .describe('Lines of the map that pipes follow rather than other ground, where nothing stands in the way'),
  via: z.array(mapPlace).max(50).optional().describe('Places that pipes are led through'),
  entries: z
    .array(entry)
    .max(200)
    .optional()
    .describe('Where pipes enter a house; where it takes least pipe when absent'),
  waste_pct: z.number().min(0).max(50).optional().describe('Pipe bought beyond its length, percent; 5 when absent'),
});

export const pipeRequest = z.strictObject({
  geo_id: uuid,
  device_ids: z.array(uuid).min(2).max(1000).describe('What the pipes join'),
  source_device_id: uuid.optional().describe('Where the water comes from; the first of device_ids when absent'),
  source_device_ids: z
    .array(uuid)
    .min(1)
    .max(20)
    .optional()
    .describe('All sources, where there are several: each device is fed by one of them. Not with source_device_id'),
  options: options.optional(),
  hydraulics: hydraulicsRequest
    .optional()
    .describe('Pipes get sizes, and pressures are worked out; neither when absent'),
  save: z
    .boolean()
    .optional()
    .describe(
      'Keeps the pipes as features of the map, which needs the permission edit_settings; nothing is saved when absent',
    ),
  replaces: uuid.optional().describe('With save: the plan_id of pipes that these take the place of'),
});
export type PipeRequest = z.infer<typeof pipeRequest>;

export const pipeRoles = ['main', 'branch', 'header', 'lateral'] as const;

export const pipeFeature = feature.extend({
  properties: feature.shape.properties.extend({
    plan_id: uuid.describe('The same for all pipes of one plan'),
    length_m: quantity('m', 'Length on the ground'),
    from: z
      .string()
      .max(64)
      .describe(
        'Towards the source: unique_id of a device, of the zone of a header or lateral, or a junction such as J3',
      ),
    to: z.string().max(64).describe('Away from the source, likewise'),
    role: z
      .enum(pipeRoles)
      .describe(
        'main leads to two devices or more, branch to one, header from a valve to drip lines; a lateral is such a line',
      ),
    serves: countOf('Devices that it leads to'),
    reuses: uuid.optional().describe('The pipe of the map that lies there already: nothing is laid, or saved again'),
    ...pipeHydraulics.partial().shape,
  }),
});
export type PipeFeature = z.infer<typeof pipeFeature>;

const billRow = z.strictObject({
  item: billItem,
  diameter_mm: quantity('mm', 'Outer diameter, the larger one of a reducer').nullable().describe('null without sizes'),
  to_mm: quantity('mm', 'Of a reducer: the smaller outer diameter').optional(),
  quantity: quantity('m or pieces', 'How much to buy, waste included'),
  unit: z.enum(['m', 'piece']),
  price: quantity('currency', 'Of a metre or a piece').nullable().describe('null where the settings have none'),
  cost: quantity('currency', 'Of all').nullable(),
});
export type BillRow = z.infer<typeof billRow>;

export const pipePlan = z.strictObject({
  type: z.literal('FeatureCollection'),
  map_uuid: uuid,
  plan_id: uuid,
  source_device_id: uuid,
  source_device_ids: z.array(uuid),
  revision: revisionNumber.nullable().describe('Of the map after the pipes were saved, null where they were not'),
  features: z.array(pipeFeature),
  total_length_m: quantity('m', 'Length of all pipes that are laid'),
  reused_length_m: quantity('m', 'Length of pipes that lie there already and carry water of this plan'),
  lower_bound_m: quantity('m', 'What no net that joins the devices can be shorter than, obstacles or not'),
  fittings: z.strictObject({
    elbow_45: countOf('Bends of up to 67.5 degrees'),
    elbow_90: countOf('Sharper bends'),
    tee: countOf('Places where three pipes meet, or two at a device'),
    cross: countOf('Places where more meet'),
  }),
  waste_pct: quantity('%', 'Pipe bought beyond its length'),
  bill_of_materials: z.array(billRow),
  cost: z.strictObject({
    currency: z.string().max(3),
    total: quantity('currency', 'Of the rows that have a price'),
    unpriced: countOf('Rows without a price'),
  }),
  hydraulics: hydraulics.nullable().describe('null where none was asked for'),
  method: z.strictObject({
    metric: z.enum(['rectilinear', 'euclidean']),
    axis_deg: z.number().min(0).max(360).nullable().describe('Of rectilinear pipes, degrees clockwise from north'),
    clearance_m: z.number().min(0).max(50).describe('Kept from obstacles, m'),
    obstacle_count: countOf('Houses and no-trench areas that were gone around'),
    algorithm: z.string(),
    bound: z.string(),
  }),
});
export type PipePlan = z.infer<typeof pipePlan>;

export const pipeEndpoints = {
  generate: endpoint({
    method: 'POST',
    path: '/api/geo/generate-pipes',
    tag: 'pipes',
    summary: 'Find the shortest pipes between devices of a map, and save them where asked',
    access: 'login',
    query: z.strictObject({
      async: z
        .boolean()
        .optional()
        .describe(`Answers 201 with a job at once; needed for more than ${mostPipeDevicesAtOnce} devices`),
    }),
    body: pipeRequest,
    answer: z.union([pipePlan, jobStarted]),
    statuses: [200, 201],
    errors: [
      'not_found',
      'in_trash',
      'unknown_reference',
      'device_not_placed',
      'device_on_other_map',
      'devices_at_one_place',
      'no_way_for_pipes',
      'pressure_unreachable',
      'zone_not_layable',
      'uneven_watering',
      'rate_limited',
    ],
  }),
};

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { solveWarningList } from './pipe-hydraulics.ts';
import { countOf, quantity, signedQuantity } from './quantity.ts';

/** Maximum characters of a network's text. */
export const longestInp = 2_000_000;

const readRequest = z.strictObject({
  inp: z.string().min(1).max(longestInp).describe('A network as EPANET keeps it (.inp)'),
  at: z
    .strictObject({
      lat: z.number().min(-85).max(85).describe('degrees'),
      lng: z.number().min(-180).max(180).describe('degrees'),
    })
    .describe('Middle of the map: where the network is laid whose coordinates are no degrees near there'),
});
export type ReadPipesRequest = z.infer<typeof readRequest>;

const readPipe = z.strictObject({
  id: z.string().max(64),
  coordinates: z.array(z.array(z.number()).min(2).max(2)).min(2).describe('Longitude and latitude, degrees'),
  from: z.string().max(64),
  to: z.string().max(64),
  length_m: quantity('m', 'As the network has it'),
  inner_mm: quantity('mm', 'Inner diameter'),
  flow_m3_h: quantity('m3/h', 'Most that runs through it'),
  velocity_m_s: quantity('m/s', 'At that flow'),
  head_loss_m: quantity('m', 'At that flow'),
  pressure_bar: signedQuantity('bar', 'Least at its lower end; at a reservoir, of the other'),
});
export type ReadPipe = z.infer<typeof readPipe>;

const readNode = z.strictObject({
  id: z.string().max(64),
  kind: z.enum(['junction', 'reservoir', 'tank']),
  lng: z.number().min(-180).max(180).describe('degrees'),
  lat: z.number().min(-90).max(90).describe('degrees'),
  elevation_m: signedQuantity('m', 'As the network has it'),
  demand_m3_h: signedQuantity('m3/h', 'Most that is taken; negative where water comes in'),
  least_bar: signedQuantity('bar', 'Least pressure'),
  most_bar: signedQuantity('bar', 'Greatest pressure'),
});
export type ReadNode = z.infer<typeof readNode>;

export const readNetwork = z.strictObject({
  engine: z.string(),
  title: z.string().max(500),
  placed_by: z
    .enum(['degrees', 'metres'])
    .describe(
      'metres about `at` where coordinates are no degrees near there; in the units of [BACKDROP], else those of lengths',
    ),
  pipes: z.array(readPipe),
  nodes: z.array(readNode),
  pumps: countOf('Pumps'),
  valves: countOf('Valves'),
  steps: countOf('Times that were solved'),
  truncated: z.boolean().describe('Whether the network runs for longer than was solved'),
  warnings: solveWarningList,
});
export type ReadNetwork = z.infer<typeof readNetwork>;

/**
 * What is wrong with a network, by the code of the fault: 201 to 259 are those of EPANET (2.2 User Manual, 2020,
 * appendix B), those from 900 on are of ours.
 */
export const networkFaults = {
  201: 'syntax',
  202: 'number',
  203: 'node',
  204: 'link',
  205: 'pattern',
  206: 'curve',
  207: 'control',
  208: 'pressure_limits',
  209: 'node_value',
  211: 'link_value',
  212: 'node',
  213: 'option',
  214: 'long_line',
  215: 'duplicate',
  216: 'pump',
  217: 'pump_energy',
  219: 'valve_at_tank',
  220: 'valve_at_valve',
  221: 'rule',
  222: 'same_ends',
  223: 'few_nodes',
  224: 'no_source',
  225: 'tank_levels',
  226: 'pump_curve',
  227: 'pump_curve',
  230: 'curve_order',
  231: 'curve_empty',
  232: 'pattern_empty',
  233: 'unconnected',
  234: 'unconnected',
  250: 'syntax',
  252: 'name',
  254: 'coordinates',
  255: 'vertex',
  901: 'too_large',
  902: 'not_degrees',
  903: 'far_apart',
} as const;
export type NetworkFault = (typeof networkFaults)[keyof typeof networkFaults];

export const pipeInpEndpoints = {
  read: endpoint({
    method: 'POST',
    path: '/api/geo/read-pipes',
    tag: 'pipes',
    summary: 'Read a network of EPANET and solve it; nothing is saved',
    access: 'login',
    body: readRequest,
    answer: readNetwork,
    statuses: [200],
    errors: ['unreadable_network', 'rate_limited'],
    maxBodyBytes: 2 * longestInp,
  }),
};

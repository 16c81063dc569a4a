import { z } from 'zod';
import { uuid } from './identifier.ts';
import { countOf, quantity, signedQuantity } from './quantity.ts';

export const pipeSeriesNames = ['pe100_sdr17', 'pe100_sdr11', 'pvc_u_pn10'] as const;
export const pipeSeries = z.enum(pipeSeriesNames);
export type PipeSeries = z.infer<typeof pipeSeries>;

const frictionFormulas = ['hazen_williams', 'darcy_weisbach'] as const;
const frictionFormula = z.enum(frictionFormulas);
export type FrictionFormula = z.infer<typeof frictionFormula>;

/** EPANET's warnings about a solution, in the order of its codes from 1: EPANET 2.2 User Manual (2020), appendix D. */
export const solveWarnings = [
  'unbalanced',
  'unstable',
  'disconnected',
  'pump_exceeded',
  'valve_exceeded',
  'negative_pressure',
] as const;
export type SolveWarning = (typeof solveWarnings)[number];
export const solveWarningList = z
  .array(z.enum(solveWarnings))
  .describe('What the engine doubts: flows and pressures are not to be relied on where the list is not empty');

/** Maximum groups of devices that take turns: each is solved separately. */
export const mostPipeGroups = 200;

const flow_l_h = z.number().min(0).max(1_000_000);
const pressure_bar = z.number().min(0).max(25);
const elevation_m = z.number().min(-500).max(9000);

const pumpPoint = z.strictObject({
  flow_m3_h: z.number().min(0).max(10_000).describe('m3/h'),
  head_m: z.number().min(0).max(500).describe('m'),
});

const deviceDemand = z.strictObject({
  device_id: uuid,
  flow_l_h: flow_l_h.optional().describe('l/h'),
  pressure_bar: pressure_bar.optional().describe('bar; of a source, what it delivers'),
  elevation_m: elevation_m.optional().describe('m'),
});

const dripZone = z.strictObject({
  device_id: uuid.describe('Its valve, which is one of device_ids'),
  zone_id: uuid.describe('The feature that is watered: a Polygon'),
  spacing_m: z.number().min(0.1).max(10).describe('Between drip lines, m'),
  emitter_spacing_m: z.number().min(0.05).max(5).describe('Along a line, m'),
  emitter_flow_l_h: z.number().min(0.1).max(200).describe('l/h'),
  emitter_pressure_bar: z
    .number()
    .min(0.1)
    .max(6)
    .optional()
    .describe('At which an emitter gives that flow, bar; 1 when absent'),
  emitter_exponent: z.number().min(0.1).max(1).optional().describe('x of q = k p^x; 0.5 when absent'),
  inner_mm: z.number().min(4).max(50).optional().describe('Inner diameter of the line, mm; 13.8 when absent'),
  angle_deg: z
    .number()
    .min(0)
    .max(360)
    .optional()
    .describe('Of the lines, degrees clockwise from north; along the zone when absent'),
  wetted_radius_m: z
    .number()
    .min(0.05)
    .max(30)
    .optional()
    .describe('How far an emitter wets the ground, m; as far as the next line or emitter when absent'),
  least_uniformity_pct: z
    .number()
    .min(50)
    .max(99)
    .optional()
    .describe('Lowest quarter over mean, percent; 90 when absent'),
});
export type DripZone = z.infer<typeof dripZone>;

/** What the pipes of a plan are sized for. */
export const hydraulicsRequest = z.strictObject({
  series: pipeSeries.optional().describe('Which pipes are bought; pe100_sdr17 when absent'),
  friction: frictionFormula.optional().describe('hazen_williams (C 150) when absent, or darcy_weisbach (0.0015 mm)'),
  flow_l_h: flow_l_h.min(0.1).describe('What each device takes when it is open, l/h'),
  pressure_bar: pressure_bar.describe('What each device needs, bar'),
  elevation_m: elevation_m.optional().describe('Of the source, m; 0 when absent'),
  devices: z
    .array(deviceDemand)
    .max(1000)
    .optional()
    .describe('Those that differ; elevation as that of the source when absent'),
  zones: z
    .array(dripZone)
    .max(30)
    .optional()
    .describe('Drip lines are laid here, and say what their valves take and need'),
  groups: z
    .array(z.array(uuid).min(1).max(1000))
    .max(mostPipeGroups)
    .optional()
    .describe(
      'Devices that are open together, one group after the other; what is not named is one more. All together when absent',
    ),
  source_pressure_bar: pressure_bar
    .optional()
    .describe(
      'At the source, bar. What a pump has to deliver is worked out when neither this nor a pump curve is sent',
    ),
  pump_curve: z.array(pumpPoint).min(2).max(20).optional().describe('Of the pump at the source, by rising flow'),
  most_velocity_m_s: z.number().min(0.2).max(5).optional().describe('m/s; 1.5 when absent'),
});
export type HydraulicsRequest = z.infer<typeof hydraulicsRequest>;

const groupResult = z.strictObject({
  device_ids: z.array(uuid),
  flow_m3_h: quantity('m3/h', 'What the source delivers'),
  source_pressure_bar: signedQuantity('bar', 'At the source; the highest of several'),
});

const sourceResult = z.strictObject({
  device_id: uuid,
  flow_m3_h: quantity('m3/h', 'Most that it delivers'),
  pressure_bar: signedQuantity('bar', 'Most that it delivers'),
  head_m: quantity('m', 'What it has to deliver above itself, for the group that needs most of it'),
});

const deviceResult = z.strictObject({
  device_id: uuid,
  pressure_bar: signedQuantity('bar', 'When its group is open'),
  needed_bar: quantity('bar', 'What it needs'),
  flow_l_h: quantity('l/h', 'What it takes'),
});

const overlap = z.strictObject({
  radius_m: quantity('m', 'How far an emitter wets the ground'),
  mean_mm_h: quantity('mm/h', 'Over the zone'),
  least_mm_h: quantity('mm/h', 'Where least falls'),
  most_mm_h: quantity('mm/h', 'Where most falls'),
  uniformity_pct: quantity('%', 'Mean of the quarter of the ground that gets least over the mean of all'),
  christiansen_pct: quantity('%', 'Uniformity coefficient of Christiansen'),
  cell_m: quantity('m', 'Side of a square'),
  angle_deg: z.number().min(0).max(360).describe('Of the squares, degrees clockwise from north'),
  cells: z
    .array(
      z.tuple([
        z.number().min(-180).max(180).describe('Longitude, degrees'),
        z.number().min(-90).max(90).describe('Latitude, degrees'),
        quantity('mm/h', 'Falls there'),
      ]),
    )
    .max(4000)
    .describe('Longitude and latitude of the middle of a square, and what falls there, mm/h'),
});
export type ZoneOverlap = z.infer<typeof overlap>;

const zoneResult = z.strictObject({
  device_id: uuid,
  zone_id: uuid,
  lines: countOf('Drip lines'),
  line_m: quantity('m', 'Length of all lines'),
  emitters: countOf('Emitters'),
  header_mm: quantity('mm', 'Outer diameter of the header'),
  flow_m3_h: quantity('m3/h', 'Of all emitters'),
  inlet_bar: quantity('bar', 'Where the header begins'),
  uniformity_pct: quantity('%', 'Mean of the lowest quarter of emitters over the mean of all'),
  least_l_h: quantity('l/h', 'Of the emitter that gives least'),
  most_l_h: quantity('l/h', 'Of the emitter that gives most'),
  application_mm_h: quantity('mm/h', 'On the ground under the lines'),
  overlap: overlap
    .nullable()
    .describe('Where how much water falls; null where the wetted circles are too small for so wide a zone'),
});

/** The results of the network, group by group. */
export const hydraulics = z.strictObject({
  engine: z.string().describe('What it was worked out with'),
  friction: frictionFormula,
  series: pipeSeries,
  standard: z.string(),
  sized_by: z
    .enum(['price', 'weight'])
    .describe('What was kept least: the prices of the settings, else the weight of the pipe'),
  sources: z.array(sourceResult).describe('What each source delivers; water of one place alone is a list of one'),
  duty: z
    .strictObject({
      flow_m3_h: quantity('m3/h', 'Of the group that takes most'),
      head_m: quantity('m', 'Above the source, of the group that needs most'),
    })
    .nullable()
    .describe('What the source has to deliver; null where there are several, each of which has its own'),
  groups: z.array(groupResult),
  devices: z.array(deviceResult),
  zones: z.array(zoneResult),
  most_velocity_m_s: quantity('m/s', 'In the fastest pipe'),
  velocity_warnings: countOf('Pipes that lie there already and in which water runs faster than it may'),
  warnings: solveWarningList,
  pressure_warnings: countOf('Pipes that bear more than their nominal pressure'),
  inp: z.string().max(20_000_000).describe('The network as EPANET reads it, a group an hour'),
});
export type Hydraulics = z.infer<typeof hydraulics>;

/** Figures of a sized pipe. */
export const pipeHydraulics = z.strictObject({
  diameter_mm: quantity('mm', 'Outer diameter'),
  inner_mm: quantity('mm', 'Inner diameter'),
  flow_m3_h: quantity('m3/h', 'Most that runs through it'),
  velocity_m_s: quantity('m/s', 'At that flow'),
  head_loss_m: quantity('m', 'At that flow'),
  pressure_bar: signedQuantity('bar', 'Least at its end while water runs through it'),
});
export type PipeFigures = z.infer<typeof pipeHydraulics>;

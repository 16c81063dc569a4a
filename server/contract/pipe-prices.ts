import { z } from 'zod';
import { pipeSeries } from './pipe-hydraulics.ts';

export const fittingKinds = ['elbow_45', 'elbow_90', 'tee', 'cross'] as const;
const billItems = ['pipe', ...fittingKinds, 'reducer', 'valve', 'drip_line', 'emitter', 'takeoff'] as const;
export const billItem = z.enum(billItems);
export type BillItem = z.infer<typeof billItem>;

const diameter_mm = z
  .number()
  .min(1)
  .max(2000)
  .nullable()
  .describe('Outer diameter, mm; the larger one of a reducer; null of what has one size');

const pipePrice = z.strictObject({
  item: billItem,
  series: pipeSeries.optional().describe('Which pipe or fitting; any when absent'),
  diameter_mm,
  price: z.number().min(0).max(1e9).describe('Of a metre or a piece, in currency'),
});
export type PipePrice = z.infer<typeof pipePrice>;

/** The site's prices of pipes and fittings. */
export const pipePrices = z.strictObject({
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be three capital letters')
    .describe('ISO 4217')
    .meta({ examples: ['KRW'] }),
  prices: z.array(pipePrice).max(1000).describe('The first that fits counts'),
});
export type PipePrices = z.infer<typeof pipePrices>;

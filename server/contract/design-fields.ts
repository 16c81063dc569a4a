import { z } from 'zod';
import { name } from './identifier.ts';

export const layers = z.strictObject({
  base: z.string().max(64).optional().describe('Base layer'),
  overlays: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(64),
        visible: z.boolean(),
        opacity: z.number().min(0).max(1).optional().describe('0 (not seen) to 1; 1 when absent'),
      }),
    )
    .max(100)
    .optional()
    .describe('From the lowest to the highest'),
});
export type Layers = z.infer<typeof layers>;

/** What a person sets of a map beside drawing on it. */
export const designFields = z.strictObject({
  name,
  lat: z.number().min(-90).max(90).describe('Centre latitude in degrees'),
  lng: z.number().min(-180).max(180).describe('Centre longitude in degrees'),
  zoom: z.int().min(0).max(25).describe('Zoom of the map, 0 (the world) to 25'),
  layers,
});
export type DesignFields = z.infer<typeof designFields>;

import { z } from 'zod';

const share = z.number().min(0).max(1);

/** The source of a figure in the table. `assumed` marks one without a published source. */
const provenance = z.strictObject({ source: z.string().nullable(), assumed: z.boolean() });

export const material = z.strictObject({
  code: z.string().min(1).max(64),
  name: z.string().min(1).max(200),
  kind: z.enum(['cover', 'screen']).describe('cover: fits an envelope; screen: drawn inside it'),
  layers: z.number().int().min(1).max(5).describe('Layers of covering, 1 to 5: they set the infiltration'),
  thickness_mm: z
    .number()
    .positive()
    .max(1000)
    .nullable()
    .meta({ description: 'Film or sheet, all layers, above 0 to 1000', unit: 'mm' }),
  u_w_m2k: z.number().positive().max(20).meta({ description: 'Heat transmission', unit: 'W/m2K' }),
  transmittance: share.describe('Solar radiation let through, 0 to 1'),
  absorptance: share.describe('Solar radiation taken up by the covering, 0 to 1'),
  provenance: z.strictObject({ u_w_m2k: provenance, transmittance: provenance, absorptance: provenance }),
});
export type Material = z.infer<typeof material>;

export const materialList = z.strictObject({ materials: z.array(material) });
export type MaterialList = z.infer<typeof materialList>;

import { z } from 'zod';

/** The crop in a calculated house, which transpires, breathes and shades by its leaves. */
export const standingCrops = ['none', 'young', 'full'] as const;
export const standingCrop = z
  .enum(standingCrops)
  .describe('none: bare floor; young: little leaf; full: leaves cover the floor');
export type StandingCrop = z.infer<typeof standingCrop>;

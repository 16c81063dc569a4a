import type { Migration } from '../migration.ts';
import { samples } from './measurements/0001-samples.ts';
import { rollups } from './measurements/0002-rollups.ts';
import { directionSums } from './measurements/0003-direction-sums.ts';
import { stateOrigins } from './measurements/0004-state-origins.ts';

/** measurements.db: samples, their rollups and the states of outputs. Written only by the daemon. */
export const measurementsMigrations: readonly Migration[] = [samples, rollups, directionSums, stateOrigins];

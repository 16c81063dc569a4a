import { designConditions } from '../../server/contract/envelope.ts';
import type { DesignConditions } from '../../server/contract/envelope.ts';

export type ConditionName = keyof DesignConditions;
export const conditionNames = designConditions.keyof().options;

/** Units, and what the calculation takes where nobody says anything; null: it depends on the place or on the covering. */
export const conditionFields: Record<ConditionName, { unit: string; delivered: number | null }> = {
  heating_indoor_c: { unit: 'C', delivered: 15 },
  heating_outdoor_c: { unit: 'C', delivered: null },
  air_changes_per_h: { unit: '1/h', delivered: null },
  wind_factor: { unit: '', delivered: 1 },
  radiation_w_m2: { unit: 'W/m2', delivered: null },
  latent_share: { unit: '', delivered: 0.5 },
  ventilation_rise_k: { unit: 'K', delivered: 5 },
  elevation_m: { unit: 'm', delivered: 0 },
};

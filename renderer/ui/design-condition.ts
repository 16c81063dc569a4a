import {
  conditionDefaults,
  conditionGroups,
  designConditions,
  type ConditionName,
} from '../../server/contract/envelope.ts';

export type { ConditionName };
export const conditionNames = designConditions.keyof().options;
export { conditionDefaults, conditionGroups };

/** Unit of a condition; empty for a bare number. */
export function conditionUnit(name: ConditionName): string {
  const unit = designConditions.shape[name].meta()?.['unit'];
  return typeof unit === 'string' ? unit : '';
}

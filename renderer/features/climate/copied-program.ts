import type { Climate, ClimateInfluence } from '../../../server/contract/climate-settings.ts';

/** An influence by a measurement goes by a sensor of its own house. */
export const isOfHouse = ({ source }: Pick<ClimateInfluence, 'source'>): boolean => source === 'measurement';

/**
 * What a house is sent whose program is to become the same: its holds and its influences by a measurement remain its
 * own. In a house without a program it is switched off: a person looks at it first.
 */
export function copiedProgram(program: Climate, theirs: Pick<Climate, 'revision' | 'influences'> | null) {
  const { unique_id: _id, facility_uuid: _house, name: _name, is_activated: _on, overrides: _held, ...body } = program;
  const influences = [
    ...body.influences.filter((one) => !isOfHouse(one)),
    ...(theirs?.influences.filter(isOfHouse) ?? []),
  ];
  return { ...body, influences, revision: theirs?.revision ?? 0, ...(theirs === null && { is_activated: false }) };
}

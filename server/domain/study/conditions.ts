import type { Assumptions, DesignConditions } from '../../contract/facility.ts';
import { conditionDefaults, conditionGroups, designConditions, type ConditionName } from '../../contract/envelope.ts';
import { resolveDesign, type DesignValues, type SiteContext } from '../capacity/design.ts';
import { noteOf } from '../../contract/assumption-note.ts';

type StudyName = Exclude<ConditionName, keyof DesignValues>;
/** Conditions without a usual value: prices, and what only the place or the builder can state. */
type OpenName =
  | (typeof conditionGroups)['prices'][number]
  | 'snow_kn_m2'
  | 'wind_base_m_s'
  | 'snow_capacity_kn_m2'
  | 'wind_capacity_kn_m2';

/** The design conditions, the operation of the house and its prices; null when not stated. */
export type StudyConditions = DesignValues &
  Record<Exclude<StudyName, OpenName>, number> &
  Record<OpenName, number | null>;

const studyNames: readonly StudyName[] = [
  ...conditionGroups.running,
  ...conditionGroups.prices,
  ...conditionGroups.place,
];

/**
 * The request's conditions, else the site's, else the usual ones; those that are not in the request are listed in the
 * assumptions.
 */
export function resolveStudy(
  asked: DesignConditions,
  site: SiteContext,
  layers: { coverLayers: number; curtainLayers: number },
): { conditions: StudyConditions; assumptions: Assumptions } {
  const design = resolveDesign(asked, site, layers);
  const assumptions: Assumptions = { ...design.assumptions };
  const take = (name: StudyName): number | null => {
    const own = asked[name];
    if (own !== undefined) return own;
    const ofSite = site.design_conditions?.[name];
    const value = ofSite ?? (name === 'heating_day_c' ? design.conditions.heating_indoor_c : conditionDefaults[name]);
    if (value === null) return null;
    assumptions[name] = {
      value,
      unit: unitOf(name),
      ...(ofSite === undefined
        ? { source: 'default', ...noteOf(name === 'heating_day_c' ? 'as_by_night' : 'usual') }
        : { source: 'site', ...noteOf('of_site') }),
    };
    return value;
  };
  const taken = Object.fromEntries(studyNames.map((name) => [name, take(name)]));
  // Every name of the study was taken, and is null only if conditionDefaults has none.
  return { conditions: { ...design.conditions, ...taken } as StudyConditions, assumptions };
}

function unitOf(name: ConditionName): string | null {
  const unit = designConditions.shape[name].meta()?.['unit'];
  return typeof unit === 'string' ? unit : null;
}

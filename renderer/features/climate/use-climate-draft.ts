import { computed, ref, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { climateEndpoints } from '../../../server/contract/climate.ts';
import {
  climateDefaults,
  climateProgram,
  type Climate,
  type ClimateInfluence,
  type ClimatePeriod,
  type ClimateProgram,
} from '../../../server/contract/climate-settings.ts';
import { differences, type Difference } from '../../../server/contract/differences.ts';
import type { BodyOf } from '../../../server/contract/endpoint.ts';
import { changesOf, isSame } from '../../ui/changes.ts';
import { influencesOf, type InfluenceRow } from './influence-rows.ts';
import { programParts, type ProgramPart } from './loop-fields.ts';
import { periodsOf, rowOf, type PeriodRow } from './period-rows.ts';

/** What a draft is made of. */
export type DraftPart = ProgramPart | 'periods' | 'influences';
export type ProgramParts = Pick<ClimateProgram, ProgramPart>;
export type ClimateBody = BodyOf<typeof climateEndpoints.save>;

export interface ClimateDraft {
  rows: Ref<PeriodRow[]>;
  influences: Ref<InfluenceRow[]>;
  parts: Ref<ProgramParts>;
  /** Parts of the draft with an entry that is missing or out of range. */
  incomplete: ComputedRef<DraftPart[]>;
  /** What the draft names; null while it is not complete. */
  body: ComputedRef<ClimateBody | null>;
  /** Where the draft differs from the program. */
  changes: ComputedRef<Difference[]>;
}

type Stored = Pick<ClimateProgram, ProgramPart | 'influences'> & { periods: ClimatePeriod[] };

/** A climate program as it is entered, before it is taken. `show` makes it one that is stored. */
export function useClimateDraft(
  program: Readonly<ShallowRef<Climate | null>>,
): ClimateDraft & { show: (stored: Stored) => void } {
  const rows = ref<PeriodRow[]>([]);
  const influences = ref<InfluenceRow[]>([]);
  const parts = ref<ProgramParts>(partsOf(climateDefaults));

  const incomplete = computed((): DraftPart[] => [
    ...(periodsOf(rows.value) === null ? ['periods' as const] : []),
    ...(influencesOf(influences.value) === null ? ['influences' as const] : []),
    ...programParts.filter((part) => !climateProgram.shape[part].safeParse(parts.value[part]).success),
  ]);
  const draft = computed(() => {
    const [periods, shifts] = [periodsOf(rows.value), influencesOf(influences.value)];
    if (incomplete.value.length > 0 || periods === null || shifts === null) return null;
    return { periods, influences: shifts, ...parts.value };
  });
  const body = computed(() => (draft.value === null ? null : bodyOf(program.value ?? climateDefaults, draft.value)));
  const changes = computed(() => {
    if (draft.value === null || program.value === null) return [];
    const { periods, influences: shifts } = program.value;
    const stored = { periods: asEntered(periods), influences: shifts, ...partsOf(program.value) };
    return differences(plain(stored), plain(draft.value));
  });

  function show(stored: Stored): void {
    rows.value = stored.periods.map(rowOf);
    influences.value = stored.influences.map((one) => ({ ...one }));
    parts.value = partsOf(stored);
  }

  return { rows, influences, parts, incomplete, body, changes, show };
}

function partsOf(stored: ProgramParts): ProgramParts {
  return Object.fromEntries(programParts.map((part) => [part, { ...stored[part] }])) as unknown as ProgramParts; // of every part
}

/** Periods as the rows give them back: what a row leaves open is left open. */
function asEntered(periods: readonly ClimatePeriod[]): ClimatePeriod[] {
  return periodsOf(periods.map(rowOf)) ?? [...periods];
}

/** What a draft changes of the loops: what it leaves as it is, is not named. */
function bodyOf(
  stored: ProgramParts,
  { periods, influences, ...parts }: { periods: ClimatePeriod[]; influences: ClimateInfluence[] } & ProgramParts,
): ClimateBody {
  const named = programParts.flatMap((part) => {
    const values = changesOf<object>(stored[part], parts[part]);
    return Object.keys(values).length === 0 ? [] : [[part, values]];
  });
  return { periods, influences, ...(Object.fromEntries(named) as Partial<ProgramParts>) };
}

/** What of a body is otherwise than it is stored. */
export function namedOf(
  { periods, influences }: Climate,
  { periods: sent, influences: shifts, ...loops }: ClimateBody,
) {
  return {
    ...loops,
    ...(!isSame(sent, asEntered(periods)) && { periods: sent }),
    ...(!isSame(shifts, influences) && { influences: shifts }),
  };
}

/** As JSON has it. */
export function plain(value: object): Difference['before'] {
  return JSON.parse(JSON.stringify(value)) as Difference['before'];
}

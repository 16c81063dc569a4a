import { computed, ref, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { climateEndpoints } from '../../../server/contract/climate.ts';
import {
  climateDefaults,
  type Climate,
  type ClimatePeriod,
  type ClimateProgram,
} from '../../../server/contract/climate-settings.ts';
import { differences, type Difference } from '../../../server/contract/differences.ts';
import type { BodyOf } from '../../../server/contract/endpoint.ts';
import { changesOf, isSame } from '../../ui/changes.ts';
import { checkedDraft, type DraftFault, type DraftProgram } from './draft-faults.ts';
import { influenceOf, influenceRowOf, type InfluenceRow } from './influence-rows.ts';
import { programParts, type ProgramPart } from './loop-fields.ts';
import { periodOf, periodsOf, rowOf, type PeriodRow } from './period-rows.ts';

export type ProgramParts = Pick<ClimateProgram, ProgramPart>;
export type ClimateBody = BodyOf<typeof climateEndpoints.save>;

export interface ClimateDraft {
  rows: Ref<PeriodRow[]>;
  influences: Ref<InfluenceRow[]>;
  parts: Ref<ProgramParts>;
  /** What is missing, out of range, or does not go together. */
  faults: ComputedRef<readonly DraftFault[]>;
  /** What the draft names; null while something is wrong with it. */
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

  const checked = computed(() => checkedDraft(asked(rows.value, influences.value, parts.value)));
  const faults = computed(() => checked.value.faults);
  const whole = computed(() => (faults.value.length === 0 ? checked.value.program : null));
  const body = computed(() => (whole.value === null ? null : bodyOf(program.value ?? climateDefaults, whole.value)));
  const changes = computed(() => {
    if (checked.value.program === null || program.value === null) return [];
    const { periods, influences: shifts } = program.value;
    const stored = { periods: asEntered(periods), influences: shifts, ...partsOf(program.value) };
    return differences(plain(stored), plain(checked.value.program));
  });

  function show(stored: Stored): void {
    rows.value = stored.periods.map(rowOf);
    influences.value = stored.influences.map(influenceRowOf);
    parts.value = partsOf(stored);
  }

  return { rows, influences, parts, faults, body, changes, show };
}

function asked(rows: readonly PeriodRow[], influences: readonly InfluenceRow[], parts: ProgramParts): object {
  return { periods: rows.map(periodOf), influences: influences.map(influenceOf), ...parts };
}

function partsOf(stored: ProgramParts): ProgramParts {
  return Object.fromEntries(programParts.map((part) => [part, { ...stored[part] }])) as unknown as ProgramParts; // of every part
}

/** Periods as the rows give them back: what a row leaves open is left open. */
function asEntered(periods: readonly ClimatePeriod[]): ClimatePeriod[] {
  return periodsOf(periods.map(rowOf)) ?? [...periods];
}

/** What a draft changes of the loops: what it leaves as it is, is not named. */
function bodyOf(stored: ProgramParts, { periods, influences, ...parts }: DraftProgram): ClimateBody {
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

/** Whether two programs are alike in all that a draft is made of. */
export function isAlike(one: Climate, other: Climate): boolean {
  return [...programParts, 'periods' as const, 'influences' as const].every((part) => isSame(one[part], other[part]));
}

/** As JSON has it. */
export function plain(value: object): Difference['before'] {
  return JSON.parse(JSON.stringify(value)) as Difference['before'];
}

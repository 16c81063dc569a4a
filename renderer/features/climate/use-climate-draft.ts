import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { climateEndpoints } from '../../../server/contract/climate.ts';
import {
  climateDefaults,
  type Climate,
  type ClimatePeriod,
  type ClimateProgram,
} from '../../../server/contract/climate-settings.ts';
import { differences, type Difference } from '../../../server/contract/differences.ts';
import type { BodyOf } from '../../../server/contract/endpoint.ts';
import { isSame } from '../../../server/contract/plain-data.ts';
import { changesOf } from '../../ui/changes.ts';
import { checkedDraft, type DraftFault, type DraftProgram } from './draft-faults.ts';
import { influenceOf, influenceRowOf, type InfluenceRow } from './influence-rows.ts';
import { programParts, type ProgramPart } from './loop-fields.ts';
import { periodOf, periodsOf, rowOf, type PeriodRow } from './period-rows.ts';
import { rebased } from './rebase.ts';

export type ProgramParts = Pick<ClimateProgram, ProgramPart>;
export type ClimateBody = BodyOf<typeof climateEndpoints.save>;

export interface ClimateDraft {
  rows: Ref<PeriodRow[]>;
  influences: Ref<InfluenceRow[]>;
  parts: Ref<ProgramParts>;
  /** Entries that are missing, out of range, or contradictory. */
  faults: ComputedRef<readonly DraftFault[]>;
  /** The changes of the draft; null while it has faults. */
  body: ComputedRef<ClimateBody | null>;
  /** Where the draft differs from the program. */
  changes: ComputedRef<Difference[]>;
  /** Paths that another user has changed since the draft was begun. */
  changedByOthers: Readonly<ShallowRef<ReadonlySet<string>>>;
  /** Whether anything is entered otherwise than it was shown. */
  isTouched: ComputedRef<boolean>;
}

type Stored = Pick<ClimateProgram, ProgramPart | 'influences'> & { periods: ClimatePeriod[] };

/** A program as form values. */
interface Entered {
  rows: PeriodRow[];
  influences: InfluenceRow[];
  parts: ProgramParts;
}

interface EditedDraft extends ClimateDraft {
  /** Begins a draft from the stored program, with other rows if given. */
  show: (stored: Stored, rows?: PeriodRow[]) => void;
  /** Rebases the draft onto a newer program: keeps what was entered, takes the rest from the new one. */
  rebase: (newer: Stored) => void;
}

/** A climate program being edited, before it is applied. */
export function useClimateDraft(program: Readonly<ShallowRef<Climate | null>>): EditedDraft {
  const rows = ref<PeriodRow[]>([]);
  const influences = ref<InfluenceRow[]>([]);
  const parts = ref<ProgramParts>(partsOf(climateDefaults));
  const base = shallowRef(plain({ rows: [], influences: [], parts: parts.value }));
  const changedByOthers = shallowRef<ReadonlySet<string>>(new Set());

  const entered = computed(() => ({ rows: rows.value, influences: influences.value, parts: parts.value }));
  const isTouched = computed(() => !isSame(entered.value, base.value));
  const checked = computed(() => checkedDraft(asked(rows.value, influences.value, parts.value)));
  const faults = computed(() => checked.value.faults);
  const whole = computed(() => (faults.value.length === 0 ? checked.value.program : null));
  const body = computed(() => (whole.value === null ? null : bodyOf(program.value ?? climateDefaults, whole.value)));
  const changes = computed(() => {
    if (checked.value.program === null || program.value === null) return [];
    return differences(draftedOf(program.value), plain(checked.value.program));
  });

  function enter(next: Entered): void {
    [rows.value, influences.value, parts.value] = [next.rows, next.influences, next.parts];
  }

  function show(stored: Stored, shownRows = stored.periods.map(rowOf)): void {
    const shown = { ...enteredOf(stored), rows: shownRows };
    base.value = plain(shown);
    changedByOthers.value = new Set();
    enter(shown);
  }

  function rebase(newer: Stored): void {
    if (!isTouched.value) return show(newer);
    const next = plain(enteredOf(newer));
    const before = program.value === null ? [] : differences(draftedOf(program.value), draftedOf(newer));
    enter(rebased(base.value, plain(entered.value), next) as unknown as Entered); // made of three of them
    base.value = next;
    changedByOthers.value = new Set([...changedByOthers.value, ...before.map(({ path }) => path)]);
  }

  return { rows, influences, parts, faults, body, changes, changedByOthers, isTouched, show, rebase };
}

function enteredOf(stored: Stored): Entered {
  return {
    rows: stored.periods.map(rowOf),
    influences: stored.influences.map(influenceRowOf),
    parts: partsOf(stored),
  };
}

/** The stored program as a draft without changes. */
function draftedOf(stored: Stored): Difference['before'] {
  return plain({ periods: asEntered(stored.periods), influences: stored.influences, ...partsOf(stored) });
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

/** The draft's changes of the loops: unchanged fields are omitted. */
function bodyOf(stored: ProgramParts, { periods, influences, ...parts }: DraftProgram): ClimateBody {
  const named = programParts.flatMap((part) => {
    const values = changesOf<object>(stored[part], parts[part]);
    return Object.keys(values).length === 0 ? [] : [[part, values]];
  });
  return { periods, influences, ...(Object.fromEntries(named) as Partial<ProgramParts>) };
}

/** The fields of a body that differ from the stored ones. */
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

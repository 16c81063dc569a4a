import type { ClimatePreset } from '../../../server/contract/climate-preset.ts';
import { differences, type Difference } from '../../../server/contract/differences.ts';
import type { ProgramPart } from './loop-fields.ts';
import { periodsOf, rowOf, type PeriodRow } from './period-rows.ts';
import { plain, type ProgramParts } from './use-climate-draft.ts';

interface Draft {
  rows: readonly PeriodRow[];
  parts: ProgramParts;
}

/** Each number of a preset beside that of the draft, those that are the same too. */
export function presetLines({ program, sources }: ClimatePreset, { rows, parts }: Draft): Difference[] {
  const found = differences(
    plain({ periods: periodsOf(rows) ?? [], ...parts }),
    plain(taken(program, { rows, parts })),
  ).filter((one) => !isSameStart(one));
  const same = sources.filter(({ path }) => !found.some((one) => one.path === path));
  const numbers = same.flatMap(({ path }) => {
    const value = valueAt(program, path);
    return typeof value === 'number' ? [{ path, before: value, after: value }] : [];
  });
  return [...found, ...numbers].sort((a, b) => a.path.localeCompare(b.path));
}

/** A start without an offset is one of 0 min. */
function isSameStart({ path, before, after }: Difference): boolean {
  return path.endsWith('.offset_min') && (before ?? 0) === (after ?? 0);
}

/** The draft with what the preset names; names of periods as the page's language has them. */
export function withPreset({ program }: ClimatePreset, draft: Draft, names: readonly string[]): Draft {
  const { periods, ...parts } = taken(program, draft);
  return { rows: periods.map((one, index) => rowOf({ ...one, name: names[index] ?? one.name })), parts };
}

function taken({ periods, influences: _, ...named }: ClimatePreset['program'], { parts }: Draft) {
  const merged = Object.entries(named).map(([part, values]) => [part, { ...parts[part as ProgramPart], ...values }]);
  return { periods, ...parts, ...(Object.fromEntries(merged) as Partial<ProgramParts>) };
}

function valueAt(value: unknown, path: string): unknown {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], value);
}

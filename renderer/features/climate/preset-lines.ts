import type { ClimatePreset } from '../../../server/contract/climate-preset.ts';
import { differences, type Difference } from '../../../server/contract/differences.ts';
import { influenceOf, influenceRowOf, type InfluenceRow } from './influence-rows.ts';
import type { ProgramPart } from './loop-fields.ts';
import { periodOf, rowOf, type PeriodRow } from './period-rows.ts';
import { plain, type ProgramParts } from './use-climate-draft.ts';

interface Draft {
  rows: readonly PeriodRow[];
  influences: readonly InfluenceRow[];
  parts: ProgramParts;
}

/** Each number of a preset beside that of the draft, those that are the same too. */
export function presetLines(preset: ClimatePreset, draft: Draft, names: readonly string[]): Difference[] {
  const { program, sources } = preset;
  const found = differences(plain(written(draft)), plain(written(withPreset(preset, draft, names))));
  const same = sources.filter(({ path }) => !found.some((one) => one.path === path));
  const numbers = same.flatMap(({ path }) => {
    const value = valueAt(program, path);
    return typeof value === 'number' ? [{ path, before: value, after: value }] : [];
  });
  return [...found, ...numbers].sort((a, b) => a.path.localeCompare(b.path));
}

/** The draft with the preset applied; period names in the language of the page. */
export function withPreset({ program }: ClimatePreset, draft: Draft, names: readonly string[]): Draft {
  const { periods, influences, ...named } = program;
  const merged = Object.entries(named).map(([part, values]) => [
    part,
    { ...draft.parts[part as ProgramPart], ...values },
  ]);
  return {
    rows: periods.map((one, index) => rowOf({ ...one, name: names[index] ?? one.name })),
    influences: influences?.map(influenceRowOf) ?? draft.influences,
    parts: { ...draft.parts, ...(Object.fromEntries(merged) as Partial<ProgramParts>) }, // of its parts
  };
}

function written({ rows, influences, parts }: Draft): object {
  return { periods: rows.map(periodOf), influences: influences.map(influenceOf), ...parts };
}

function valueAt(value: unknown, path: string): unknown {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], value);
}

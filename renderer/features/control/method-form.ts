import type { z } from 'zod';
import { methodCreate, type Method, type MethodKind } from '../../../server/contract/method.ts';
import { isoOf } from '../../../server/contract/time.ts';
import { branchesOf, groupOf, listOf, schemaOf, type Group, type OptionSchema } from '../devices/form/option-schema.ts';
import { inOrder, type DayPoint } from './daily-points.ts';
import { entered } from './rule-form.ts';

const methods = enterable(entered(schemaOf(methodCreate)));

/**
 * A ramp has either a duration or a slope: a group of both, in which the form hides one while the other is set. An
 * endless repetition has no count.
 */
function enterable(schema: OptionSchema): OptionSchema {
  const { properties, items, anyOf } = schema;
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => [name, name === 'ramp' ? groupOfAll(field) : enterable(field)] as const,
  );
  return {
    ...schema,
    ...(schema.required !== undefined && { required: schema.required.filter((name) => name !== 'repeat') }),
    ...(properties !== undefined && { properties: Object.fromEntries(fields) }),
    ...(items !== undefined && { items: enterable(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(enterable) }),
  };
}

function groupOfAll({ anyOf = [] }: OptionSchema): OptionSchema {
  const fields = anyOf.flatMap(({ properties = {} }) => Object.entries(properties));
  return { type: 'object', properties: Object.fromEntries(fields) };
}

/** The schema of a method's form; for an existing one the fields of its kind, which cannot change. */
export function methodSchema(kind: MethodKind | null): OptionSchema {
  return (kind === null ? undefined : branchesOf(methods).branches.get(kind)) ?? methods;
}

/** Kinds whose points are drawn over the day. */
const drawn: readonly unknown[] = ['daily', 'sine', 'bezier'] satisfies MethodKind[];

export const isDrawn = ({ kind }: Group): boolean => drawn.includes(kind);

const weekMs = 7 * 86_400_000;

/** Initial fields and points of a new method of each kind; times start from now. */
const begun: Record<MethodKind, (nowMs: number) => Group> = {
  date: (nowMs) => ({
    shape: 'linear',
    points: [
      { at: isoOf(nowMs), value: 18 },
      { at: isoOf(nowMs + weekMs), value: 20 },
    ],
  }),
  daily: () => ({
    shape: 'linear',
    points: [
      { at: '06:00', value: 18 },
      { at: '13:00', value: 22 },
      { at: '21:00', value: 16 },
    ],
  }),
  sine: () => ({
    points: [
      { at: '03:00', value: 16 },
      { at: '14:00', value: 22 },
    ],
  }),
  bezier: () => ({
    points: [
      { at: '06:00', value: 16, before: { minutes: 120, value: 16 }, after: { minutes: 120, value: 16 } },
      { at: '14:00', value: 22, before: { minutes: 180, value: 22 }, after: { minutes: 180, value: 22 } },
    ],
  }),
  duration: (nowMs) => ({
    shape: 'linear',
    starts_at: isoOf(nowMs),
    repeat: 0,
    points: [
      { after_s: 0, value: 20 },
      { after_s: 86_400, value: 18 },
    ],
  }),
  cascade: () => ({ combine: 'mean', points: [{}] }),
  sun: () => ({
    points: [
      { event: 'sunrise', value: 18, ramp: { minutes: 60 } },
      { event: 'noon', value: 22, ramp: { minutes: 60 } },
      { event: 'sunset', value: 16, ramp: { minutes: 60 } },
    ],
  }),
};

/** A new method as form values. */
export function newMethod(nowMs: number, kind: MethodKind = 'daily'): Group {
  return { kind, unit: 'C', ...begun[kind](nowMs) };
}

/** The entries changed to another kind, keeping name and unit. */
export function ofKind(form: Group, kind: unknown, nowMs: number): Group {
  const { name, unit } = form;
  const fresh = Object.hasOwn(begun, String(kind)) ? newMethod(nowMs, kind as MethodKind) : { kind }; // just found
  return { ...fresh, ...(name !== undefined && { name }), ...(unit !== undefined && { unit }) };
}

/** A method as form values; an endless method has no repetition count. */
export function methodForm(settings: Method): Group {
  const { unique_id: _, is_activated: __, ...form } = groupOf(structuredClone(settings));
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== null));
}

/** The points of a day in a form. */
export function pointsOf({ points }: Group): DayPoint[] {
  return listOf(points) as DayPoint[]; // as the editor left them
}

/** A point by the sun has no time of day; a ramp without a number is no ramp. */
function sunPoint(entry: unknown): Group {
  const { at, ramp, ...point } = groupOf(entry);
  return {
    ...point,
    ...(point['event'] === 'clock' && { at }),
    ...(Object.keys(groupOf(ramp)).length > 0 && { ramp }),
  };
}

/** The body of the request that creates a method, or changes it when `isChange`. */
export function methodBody(form: Group, isChange: boolean): Group {
  const { kind, ...fields } = form;
  const body = {
    ...fields,
    ...(isDrawn(form) && { points: inOrder(pointsOf(form)) }),
    ...(kind === 'sun' && { points: listOf(form['points']).map(sunPoint) }),
    ...(kind === 'duration' && { repeat: form['repeat'] ?? null }),
  };
  return isChange ? body : { kind, ...body };
}

/** The entered method, complete except for its name; null while it is incomplete. */
export function methodDraft(form: Group): z.output<typeof methodCreate> | null {
  return methodCreate.safeParse({ ...methodBody(form, false), name: form['name'] || '–' }).data ?? null;
}

/** From when a preview of a day shows a method, epoch ms: from the start of today, or from its own start after that. */
export function previewFrom(made: z.output<typeof methodCreate>, todayMs: number): number {
  return made.kind === 'duration' ? Math.max(todayMs, new Date(made.starts_at).getTime()) : todayMs;
}

/** The unit of a field; empty when it has none. A slope is a difference per hour. */
export function unitIn({ unit }: Group, name: string): string {
  if (typeof unit !== 'string') return '';
  if (name === 'value') return unit;
  return name === 'per_h' ? `${unit === 'C' ? 'K' : unit}/h` : '';
}

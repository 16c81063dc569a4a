import type { z } from 'zod';
import { methodCreate, type Method, type MethodKind } from '../../../server/contract/method.ts';
import { isoOf } from '../../../server/contract/time.ts';
import { branchesOf, groupOf, listOf, schemaOf, type Group, type OptionSchema } from '../devices/form/option-schema.ts';
import { inOrder, type DayPoint } from './daily-points.ts';
import { entered } from './rule-form.ts';

const methods = enterable(entered(schemaOf(methodCreate)));

/**
 * A ramp is so long or so steep: a group of both, of which the form shows the other only while one is empty. What repeats for ever has
 * no number of times.
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

/** What can be entered of a method; of one that there is the fields of its kind, which stays. */
export function methodSchema(kind: MethodKind | null): OptionSchema {
  return (kind === null ? undefined : branchesOf(methods).branches.get(kind)) ?? methods;
}

/** Kinds whose points are drawn over the day. */
const drawn: readonly unknown[] = ['daily', 'sine', 'bezier'] satisfies MethodKind[];

export const isDrawn = ({ kind }: Group): boolean => drawn.includes(kind);

const weekMs = 7 * 86_400_000;

/** The fields and points that a new one of each kind begins with; moments are of the time when it is made. */
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

/** A new method as it is entered. */
export function newMethod(nowMs: number, kind: MethodKind = 'daily'): Group {
  return { kind, unit: 'C', ...begun[kind](nowMs) };
}

/** What was entered as another kind: its name and unit stay. */
export function ofKind(form: Group, kind: unknown, nowMs: number): Group {
  const { name, unit } = form;
  const fresh = Object.hasOwn(begun, String(kind)) ? newMethod(nowMs, kind as MethodKind) : { kind }; // just found
  return { ...fresh, ...(name !== undefined && { name }), ...(unit !== undefined && { unit }) };
}

/** A method as it is entered; a method that repeats for ever has no number of times. */
export function methodForm(settings: Method): Group {
  const { unique_id: _, is_activated: __, ...form } = groupOf(structuredClone(settings));
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== null));
}

/** The points of a day in a form. */
export function pointsOf({ points }: Group): DayPoint[] {
  return listOf(points) as DayPoint[]; // as the editor left them
}

/** A point by the sun has no time of day, and a ramp without a number is none. */
function sunPoint(entry: unknown): Group {
  const { at, ramp, ...point } = groupOf(entry);
  return {
    ...point,
    ...(point['event'] === 'clock' && { at }),
    ...(Object.keys(groupOf(ramp)).length > 0 && { ramp }),
  };
}

/** As people write units, and as the wire has them. */
const wireUnits: ReadonlyMap<string, string> = new Map([
  ['°C', 'C'],
  ['℃', 'C'],
  ['％', '%'],
]);

/** Body of the request that makes a method, or changes one where `isChange`. */
export function methodBody(form: Group, isChange: boolean): Group {
  const { kind, ...fields } = form;
  const body = {
    ...fields,
    ...('unit' in form && { unit: wireUnits.get(String(form['unit']).trim()) ?? form['unit'] }),
    ...(isDrawn(form) && { points: inOrder(pointsOf(form)) }),
    ...(kind === 'sun' && { points: listOf(form['points']).map(sunPoint) }),
    ...(kind === 'duration' && { repeat: form['repeat'] ?? null }),
  };
  return isChange ? body : { kind, ...body };
}

/** A method as it is entered, complete but for its name; null while it is not. */
export function methodDraft(form: Group): z.output<typeof methodCreate> | null {
  return methodCreate.safeParse({ ...methodBody(form, false), name: form['name'] || '–' }).data ?? null;
}

/** The unit of a field of it; empty where it has none. A steepness is a difference an hour. */
export function unitIn({ unit }: Group, name: string): string {
  if (typeof unit !== 'string') return '';
  if (name === 'value') return unit;
  return name === 'per_h' ? `${unit === 'C' ? 'K' : unit}/h` : '';
}

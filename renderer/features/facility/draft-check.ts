import { z } from 'zod';
import { facility } from '../../../server/contract/facility.ts';
import type { FieldError } from '../../../server/contract/errors.ts';
import { reasonOf } from '../../../server/contract/field-errors.ts';
import { withoutNulls, type Draft } from './draft.ts';

/** What is wrong with a field: `code` names the message, `limit` is the bound exceeded, in wire units. */
export interface Fault {
  code: 'required' | 'too_small' | 'above_zero' | 'too_big' | 'whole' | 'other';
  limit?: number;
  /** As the server or schema has it, when the code has no message. */
  field?: Omit<FieldError, 'path'>;
}

export type Faults = ReadonlyMap<string, Fault>;

const checked = z.object({
  ...facility.pick({
    name: true,
    bay_count: true,
    envelope: true,
    openings: true,
    curtains: true,
    fans: true,
    actuators: true,
    design_conditions: true,
  }).shape,
  spacing_m: facility.shape.view_3d.shape.spacing_m,
  orientation_deg: facility.shape.view_3d.shape.orientation_deg,
});

/** Checks a draft against the contract; faults by dotted path (`envelope.length_m`, `openings[0].name`). */
export function checkDraft(draft: Draft): Faults {
  const { name, bay_count, openings, curtains, fans, actuators } = draft;
  const envelope = withoutNulls(draft.envelope);
  const rest = withoutNulls({ spacing_m: draft.spacing_m, orientation_deg: draft.orientation_deg });
  const parsed = checked.safeParse({
    name,
    bay_count: bay_count ?? undefined,
    envelope,
    openings,
    curtains,
    fans,
    actuators,
    design_conditions: withoutNulls(draft.design_conditions),
    ...rest,
  });
  const faults = new Map<string, Fault>();
  for (const issue of parsed.error?.issues ?? []) {
    const path = pathOf(issue.path);
    if (!faults.has(path)) faults.set(path, faultOf(issue));
  }
  return faults;
}

/**
 * Whether the loads can be asked for: what they are computed from has no fault, for which the server would refuse them.
 */
export function isComputable(faults: Faults): boolean {
  return ![...faults.keys()].some((path) =>
    /^(envelope|design_conditions|bay_count|openings|curtains|fans)\b/.test(path),
  );
}

/** A pitched roof whose ridge is below its eave: it may be saved, but counts as flat. */
export function isRidgeBelowEave({ envelope }: Pick<Draft, 'envelope'>): boolean {
  const { roof_type, ridge_reference, ridge_height_m, eave_height_m } = envelope;
  if (roof_type === 'flat' || ridge_reference !== 'ground') return false;
  return ridge_height_m !== null && eave_height_m !== null && ridge_height_m < eave_height_m;
}

/** Faults that the server found, by the same paths. */
export function faultsOfAnswer(fields: readonly FieldError[]): Faults {
  return new Map(
    fields.map(({ path, ...field }) => [
      path,
      field.code === 'required' ? { code: 'required' } : { code: 'other', field },
    ]),
  );
}

function pathOf(keys: readonly PropertyKey[]): string {
  return keys
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

function faultOf(issue: z.core.$ZodIssue): Fault {
  if (issue.code === 'too_small') {
    if (issue.origin === 'string' || issue.origin === 'array') return { code: 'required' };
    const limit = Number(issue.minimum);
    return issue.inclusive === false && limit === 0 ? { code: 'above_zero' } : { code: 'too_small', limit };
  }
  if (issue.code === 'too_big') return { code: 'too_big', limit: Number(issue.maximum) };
  if (issue.code === 'invalid_type') return { code: issue.expected === 'int' ? 'whole' : 'required' };
  const code = issue.code === 'custom' ? 'invalid_value' : issue.code;
  return { code: 'other', field: { code, message: issue.message, ...reasonOf(issue) } };
}

/** The step of the form that shows a field. */
export const stepIds = ['shape', 'structure', 'envelope', 'openings', 'sensors', 'actuators', 'review'] as const;
export type StepId = (typeof stepIds)[number];

const stepOfField: readonly (readonly [StepId, RegExp])[] = [
  ['structure', /^(structure|bay_count|spacing_m|view_3d|orientation_deg|envelope\.(bay_width_m|length_m))/],
  ['envelope', /^(envelope|curtains|design_conditions)/],
  ['openings', /^(openings|fans)/],
  ['sensors', /^sensors/],
  ['actuators', /^actuators/],
];

/** The step of a faulty field; the first one when it belongs to none. */
export function stepOf(path: string): StepId {
  return stepOfField.find(([, pattern]) => pattern.test(path))?.[0] ?? 'shape';
}

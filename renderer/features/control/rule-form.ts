import type { Action } from '../../../server/contract/action.ts';
import { conditionalCreate, statementCheck } from '../../../server/contract/conditional.ts';
import { triggerCreate, type Trigger } from '../../../server/contract/trigger.ts';
import type { Translate } from '../../i18n/index.ts';
import {
  branchesOf,
  groupOf,
  listOf,
  schemaOf,
  withoutFields,
  type Group,
  type OptionSchema,
} from '../devices/form/option-schema.ts';

/** A switch of its own activates a controller. */
const elsewhere = ['is_activated', 'unique_id'];

/** The schema without fields that users do not enter, also inside its lists. */
export function entered(schema: OptionSchema): OptionSchema {
  const { properties, anyOf, oneOf, items } = schema;
  return {
    ...withoutFields(schema, elsewhere),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).flatMap(([name, field]) =>
          elsewhere.includes(name) ? [] : [[name, entered(field)] as const],
        ),
      ),
    }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(entered) }),
    ...(oneOf !== undefined && { oneOf: oneOf.map(entered) }),
    ...(items !== undefined && { items: entered(items) }),
  };
}

const triggers = entered(schemaOf(triggerCreate));

/** The schema of a trigger's form; for an existing one the fields of its kind, which cannot change. */
export function triggerSchema(kind: Trigger['kind'] | null): OptionSchema {
  return (kind === null ? undefined : branchesOf(triggers).branches.get(kind)) ?? triggers;
}

/** The schema of a conditional function's form. */
export const conditionalSchema = entered(schemaOf(conditionalCreate));

/** The fields shown as one group; the statement has its own place between the groups. */
export function partOf(names: readonly string[]): OptionSchema {
  const others = Object.keys(conditionalSchema.properties ?? {}).filter((name) => !names.includes(name));
  return withoutFields(conditionalSchema, others);
}

/** Values for cleared fields: omitting a field from the request would leave it unchanged. */
const emptied: Readonly<Group> = {
  hysteresis: 0,
  for_s: 0,
  offset_min: 0,
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  missed: 'skip',
  actions: [],
};

/** Settings as form values. The entries of a copy get new ids. */
export function ruleForm(settings: object, isCopy: boolean): Group {
  const { unique_id: _, is_activated: __, ...form } = groupOf(structuredClone(settings));
  if (!isCopy) return form;
  const lists = ['conditions', 'actions'].filter((name) => form[name] !== undefined);
  return { ...form, ...Object.fromEntries(lists.map((name) => [name, listOf(form[name]).map(withoutId)])) };
}

function withoutId(entry: unknown): Group {
  const { unique_id: _, ...rest } = groupOf(entry);
  return rest;
}

/** Gives new entries an id. */
export function identified(entries: unknown): Group[] {
  return listOf(entries).map((entry) => ({ unique_id: crypto.randomUUID(), ...groupOf(entry) }));
}

/** The body of the request that creates a trigger, or changes it when `isChange`. */
export function triggerBody(form: Group, isChange: boolean): Group {
  const { kind, ...fields } = form;
  const actions = identified(form['actions']);
  if (!isChange) return { kind, ...fields, actions };
  const known = Object.keys(triggerSchema(kind as Trigger['kind']).properties ?? {}); // of an existing trigger
  const nothing = Object.entries(emptied).filter(([name]) => known.includes(name));
  return { ...Object.fromEntries(nothing), ...fields, actions };
}

/** The body of the request that creates or changes a conditional function. */
export function conditionalBody(form: Group): Group {
  const { conditions, actions, ...fields } = form;
  const usual = { period_s: 60, start_offset_s: 0 };
  return { ...usual, ...fields, conditions: identified(conditions), actions: identified(actions) };
}

/** The body for checking a statement; null while its conditions and actions are incomplete. */
export function checkBody({ statement, conditions, actions }: Group) {
  const asked = { statement, conditions: identified(conditions), actions: identified(actions) };
  return statementCheck.safeParse(asked).data ?? null;
}

/** What a rule does, for its card; empty without actions. */
export function doneBy(
  { actions }: { actions: readonly Action[] },
  t: Translate,
  actionText: (action: Action) => string,
): string[] {
  return actions.length === 0 ? [] : [t('rules.does', { actions: actions.map(actionText).join(t('ui.comma')) })];
}

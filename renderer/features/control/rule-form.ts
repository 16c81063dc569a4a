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

/** What controls is switched on and off by a switch of its own. */
const elsewhere = ['is_activated', 'unique_id'];

/** Without the fields that nobody enters, in the entries of its lists too. */
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

/** What can be entered of a trigger; of one that there is the fields of its kind, which stays. */
export function triggerSchema(kind: Trigger['kind'] | null): OptionSchema {
  return (kind === null ? undefined : branchesOf(triggers).branches.get(kind)) ?? triggers;
}

/** What can be entered of a conditional function. */
export const conditionalSchema = entered(schemaOf(conditionalCreate));

/** The fields of it that are entered together; the statement stands between them by itself. */
export function partOf(names: readonly string[]): OptionSchema {
  const others = Object.keys(conditionalSchema.properties ?? {}).filter((name) => !names.includes(name));
  return withoutFields(conditionalSchema, others);
}

/** What stands for a field that was taken out: a request that leaves it out changes nothing. */
const emptied: Readonly<Group> = {
  hysteresis: 0,
  for_s: 0,
  offset_min: 0,
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  missed: 'skip',
  actions: [],
};

/** Settings as they are entered. Entries of a copy are others than those of what it is a copy of. */
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

/** Entries that are new get an id of their own. */
export function identified(entries: unknown): Group[] {
  return listOf(entries).map((entry) => ({ unique_id: crypto.randomUUID(), ...groupOf(entry) }));
}

/** Body of the request that makes a trigger, or changes one where `isChange`. */
export function triggerBody(form: Group, isChange: boolean): Group {
  const { kind, ...fields } = form;
  const actions = identified(form['actions']);
  if (!isChange) return { kind, ...fields, actions };
  const known = Object.keys(triggerSchema(kind as Trigger['kind']).properties ?? {}); // of a trigger that there is
  const nothing = Object.entries(emptied).filter(([name]) => known.includes(name));
  return { ...Object.fromEntries(nothing), ...fields, actions };
}

/** Body of the request that makes or changes a conditional function. */
export function conditionalBody(form: Group): Group {
  const { conditions, actions, ...fields } = form;
  const usual = { period_s: 60, start_offset_s: 0 };
  return { ...usual, ...fields, conditions: identified(conditions), actions: identified(actions) };
}

/** What is sent to check a statement; null while the values and actions beside it are incomplete. */
export function checkBody({ statement, conditions, actions }: Group) {
  const asked = { statement, conditions: identified(conditions), actions: identified(actions) };
  return statementCheck.safeParse(asked).data ?? null;
}

/** What a rule does, as its card says it; nothing where it has no action. */
export function doneBy({ actions }: { actions: readonly Action[] }, t: Translate): string[] {
  return actions.length === 0 ? [] : [t('rules.does', { actions: actions.map(({ name }) => name).join(', ') })];
}

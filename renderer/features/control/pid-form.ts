import { pidCreate, type Pid } from '../../../server/contract/pid.ts';
import { groupOf, isNullable, schemaOf, type Group, type OptionSchema } from '../devices/form/option-schema.ts';

/** What the form is opened for; without a PID for a new one. */
export type PidTask = { does: 'add' } | { does: 'edit' | 'duplicate'; pid: Pid };

/** Fields that the form does not show: it is switched on and off by a button of its own. */
const elsewhere: ReadonlySet<string> = new Set(['is_activated', 'method_id']);

const whole = schemaOf(pidCreate);

/** What can be entered of a PID. */
export const pidSchema: OptionSchema = {
  ...whole,
  properties: Object.fromEntries(Object.entries(whole.properties ?? {}).filter(([name]) => !elsewhere.has(name))),
};

/** A PID as it is entered: what is null is left out. */
export function formOf(pid: Pid): Group {
  const fields = Object.entries(groupOf(structuredClone(pid)));
  const shown = fields.filter(([name, value]) => value !== null && pidSchema.properties?.[name] !== undefined);
  return Object.fromEntries(shown);
}

/** Body of the request that makes or changes it: what was taken out is null where the schema allows that. */
export function bodyOf(form: Group): Group {
  const nothing = Object.entries(pidSchema.properties ?? {}).filter(([, schema]) => isNullable(schema));
  return { ...Object.fromEntries(nothing.map(([name]) => [name, null])), ...form };
}

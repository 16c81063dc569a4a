import { lackedBy } from '../../../server/contract/output-state.ts';
import type { OutputChannel } from '../../../server/contract/output.ts';
import {
  drivenSides,
  pidAmounts,
  pidCreate,
  pidOutput,
  pidOutputUnits,
  type Pid,
  type PidOutput,
} from '../../../server/contract/pid.ts';
import {
  groupOf,
  isNullable,
  schemaOf,
  withoutFields,
  type Group,
  type OptionSchema,
} from '../devices/form/option-schema.ts';

/** A button of its own activates a PID. */
const elsewhere = ['is_activated'];

/** The schema of a PID's form. */
export const pidSchema: OptionSchema = withoutFields(schemaOf(pidCreate), elsewhere);

/** A PID as form values, without null fields. */
export function formOf(pid: Pid): Group {
  const fields = Object.entries(groupOf(structuredClone(pid)));
  const shown = fields.filter(([name, value]) => value !== null && pidSchema.properties?.[name] !== undefined);
  return Object.fromEntries(shown);
}

/** The body of the request that creates or changes it: cleared fields are null where the schema allows that. */
export function bodyOf(form: Group): Group {
  const nothing = Object.entries(pidSchema.properties ?? {}).filter(([, schema]) => isNullable(schema));
  return { ...Object.fromEntries(nothing.map(([name]) => [name, null])), ...form };
}

/** The unit of an output's demand; empty when there is none. */
export function demandUnit(output: PidOutput | null): string {
  return output === null ? '' : pidOutputUnits[output.kind];
}

/** The unit of control: that of its outputs; empty when they differ. */
export function controlUnit(pid: Pid): string {
  const units = new Set(drivenSides(pid).map((side) => demandUnit(pid[side])));
  const [unit = ''] = units;
  return units.size === 1 ? unit : '';
}

/** How a channel can be driven; every way while none is chosen. */
export function drivenAs(channel: OutputChannel | undefined): PidOutput['kind'][] {
  const kinds = pidOutput.shape.kind.options;
  return channel === undefined ? kinds : kinds.filter((kind) => lackedBy(channel, pidAmounts[kind]) === undefined);
}

import { functionCreate, type FunctionSettings } from '../../../server/contract/function.ts';
import { branchesOf, groupOf, schemaOf, type Group, type OptionSchema } from '../devices/form/option-schema.ts';
import { entered } from './rule-form.ts';

const functions = entered(schemaOf(functionCreate));

/** The schema of a function's form; for an existing one the fields of its kind, which cannot change. */
export function functionSchema(kind: FunctionSettings['kind'] | null): OptionSchema {
  return (kind === null ? undefined : branchesOf(functions).branches.get(kind)) ?? functions;
}

/** A function as form values. */
export function functionForm(settings: FunctionSettings): Group {
  const { unique_id: _, is_activated: __, ...form } = groupOf(structuredClone(settings));
  return form;
}

/** The body of the request that creates one, or changes it when `isChange`: options are replaced as a whole. */
export function functionBody(form: Group, isChange: boolean): Group {
  const { kind, ...fields } = form;
  return isChange ? fields : { kind, ...fields };
}

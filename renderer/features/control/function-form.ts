import { functionCreate, type FunctionSettings } from '../../../server/contract/function.ts';
import { branchesOf, groupOf, schemaOf, type Group, type OptionSchema } from '../devices/form/option-schema.ts';
import { entered } from './rule-form.ts';

const functions = entered(schemaOf(functionCreate));

/** What can be entered of a function; of one that there is the fields of its kind, which stays. */
export function functionSchema(kind: FunctionSettings['kind'] | null): OptionSchema {
  return (kind === null ? undefined : branchesOf(functions).branches.get(kind)) ?? functions;
}

/** A function as it is entered. */
export function functionForm(settings: FunctionSettings): Group {
  const { unique_id: _, is_activated: __, ...form } = groupOf(structuredClone(settings));
  return form;
}

/** Body of the request that makes one, or changes one where `isChange`: its options are replaced whole. */
export function functionBody(form: Group, isChange: boolean): Group {
  const { kind, ...fields } = form;
  return isChange ? fields : { kind, ...fields };
}

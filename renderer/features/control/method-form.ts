import { methodCreate, type Method } from '../../../server/contract/method.ts';
import { branchesOf, groupOf, listOf, schemaOf, type Group, type OptionSchema } from '../devices/form/option-schema.ts';
import { inOrder, type DayPoint } from './daily-points.ts';
import { entered } from './rule-form.ts';

/** What can be entered of a setpoint over the day. */
export const methodSchema: OptionSchema = branchesOf(entered(schemaOf(methodCreate))).branches.get('daily') ?? {};

/** What a new one begins with: a day of 18 to 22 °C. */
export function newMethod(): Group {
  const points: DayPoint[] = [
    { at: '06:00', value: 18 },
    { at: '13:00', value: 22 },
    { at: '21:00', value: 16 },
  ];
  return { kind: 'daily', unit: 'C', shape: 'linear', points };
}

/** A method as it is entered. */
export function methodForm(settings: Method): Group {
  const { unique_id: _, is_activated: __, ...form } = groupOf(structuredClone(settings));
  return form;
}

/** The points of a day in a form. */
export function pointsOf({ points }: Group): DayPoint[] {
  return listOf(points) as DayPoint[]; // as the editor left them
}

/** Body of the request that makes a method, or changes one where `isChange`. */
export function methodBody(form: Group, isChange: boolean): Group {
  const { kind, ...fields } = form;
  const body = { ...fields, points: inOrder(pointsOf(form)) };
  return isChange ? body : { kind, ...body };
}

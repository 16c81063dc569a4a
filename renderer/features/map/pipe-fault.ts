import type { FieldError } from '../../../server/contract/errors.ts';
import type { MessageKey } from '../../i18n/index.ts';
import type { NumberField } from './pipe-numbers.ts';
import { axisNumber, routeNumbers } from './pipe-route.ts';
import { demandNumbers, dripNumbers, sourceNumber, type SizeDraft } from './pipe-sizes.ts';

/** Fields with different names in request and draft. */
const wireKeys: Partial<Record<keyof SizeDraft, string>> = {
  source_bar: 'source_pressure_bar',
  emitter_l_h: 'emitter_flow_l_h',
  line_mm: 'inner_mm',
  uniformity_pct: 'least_uniformity_pct',
  wetted_m: 'wetted_radius_m',
};
const sizeFields = [...demandNumbers, sourceNumber, ...dripNumbers].map((field): NumberField => ({
  ...field,
  key: wireKeys[field.key] ?? field.key,
}));
const fields: readonly NumberField[] = [
  axisNumber,
  ...routeNumbers,
  ...sizeFields,
  { key: 'angle_deg', label: 'pipes.lineAngle', unit: 'deg' },
  { key: 'elevation_m', label: 'pipes.elevation', unit: 'm' },
  { key: 'flow_m3_h', label: 'pipes.pumpCurve', unit: 'm3/h' },
  { key: 'head_m', label: 'pipes.pumpCurve', unit: 'm' },
  { key: 'lat', label: 'pipes.lat', unit: '' },
  { key: 'lng', label: 'pipes.lng', unit: '' },
];

/** A limit that a number of the forms is beyond. */
export interface NumberFault {
  label: MessageKey;
  unit: string;
  limit: 'atLeast' | 'atMost';
  value: number;
}

/** As the contract words them. */
const beyond = /^must be at (least|most) (-?[\d.]+)$/;

/** The form's name of a refused field, and its limit; undefined for anything else. */
export function numberFault({ path, message }: FieldError): NumberFault | undefined {
  const field = fields.find(({ key }) => key === path.split('.').at(-1));
  const [, which, value] = beyond.exec(message) ?? [];
  if (field === undefined || which === undefined) return undefined;
  return {
    label: field.label,
    unit: field.unit,
    limit: which === 'least' ? 'atLeast' : 'atMost',
    value: Number(value),
  };
}

/** Whether a curve was refused as a whole, for which its hint has the rule. */
export function isCurveFault({ path }: FieldError): boolean {
  return path === 'hydraulics.pump_curve';
}

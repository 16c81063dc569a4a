import { setpointNames } from '../../../server/contract/climate-live.ts';
import type { Difference } from '../../../server/contract/differences.ts';
import type { Messages } from '../../i18n/messages.ts';
import type { Translate } from '../../i18n/index.ts';
import type { Format } from '../../ui/format.ts';
import { amountText, loopFields } from './loop-fields.ts';

/** A change as a page says it. */
export interface ChangeWords {
  path: string;
  what: string;
  before: string;
  after: string;
}

interface Saying {
  t: Translate;
  format: Format;
  /** Names of the periods, by which their numbers are told. */
  periods: readonly string[];
}

export function changeWords({ path, before, after }: Difference, saying: Saying): ChangeWords {
  return {
    path,
    what: whatOf(path, saying),
    before: valueOf(path, before, saying),
    after: valueOf(path, after, saying),
  };
}

function whatOf(path: string, { t, periods }: Saying): string {
  const period = /^periods\[(\d+)\](?:\.|$)(.*)$/.exec(path);
  if (period !== null) {
    const name = periods[Number(period[1])] ?? t('climate.periodNumber', { n: Number(period[1]) + 1 });
    const field = fieldWord(period[2] ?? '', t);
    return field === '' ? name : t('climate.within', { part: name, field });
  }
  const [part = '', field] = path.split('.');
  const partWord = partWordOf(part, t);
  return field === undefined ? partWord : t('climate.within', { part: partWord, field: fieldWord(field, t) });
}

function partWordOf(part: string, t: Translate): string {
  if (part in loopFields) return t(`climate.part.${part as keyof typeof loopFields}`);
  if (part.startsWith('influences')) return t('climate.influences.title');
  if (part.startsWith('overrides')) return t('climate.override.title');
  if (part === 'is_activated') return t('climate.isActivated');
  return part === 'name' ? t('climate.periodName') : part;
}

type FieldWord = keyof Messages['climate']['field'];

function fieldWord(path: string, t: Translate): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const setpoint = setpointNames.find((one) => one === name);
  if (setpoint !== undefined) return t(`climate.setpoint.${setpoint}`);
  if (name === 'k_per_h') return t('climate.ramp');
  if (path.startsWith('start')) return t('climate.begins');
  if (name === 'name') return t('climate.periodName');
  const isKnown = name === 'is_on' || Object.values(loopFields).some((fields) => name in fields);
  return isKnown ? t(`climate.field.${name as FieldWord}`) : name;
}

function valueOf(path: string, value: Difference['before'], { t, format }: Saying): string {
  if (value === null) return t('climate.nothing');
  if (typeof value === 'boolean') return t(value ? 'climate.on' : 'climate.off');
  if (typeof value === 'number') return amountText(path, value, format);
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? t('climate.entries', { n: value.length }) : t('climate.anEntry');
}

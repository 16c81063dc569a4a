import { sunEvents } from '../../../server/contract/method.ts';
import { influenceSources, setpointNames } from '../../../server/contract/climate-settings.ts';
import type { Difference, Json } from '../../../server/contract/differences.ts';
import type { Translate } from '../../i18n/index.ts';
import type { Format } from '../../ui/format.ts';
import { shiftUnits, sourceUnits } from './influence-rows.ts';
import { amountText, isLoopField, programParts, setpointFields, unitOf, type SetpointField } from './loop-fields.ts';

/** A change in the words of the page. */
export interface ChangeWords {
  path: string;
  what: string;
  before: string;
  after: string;
}

export interface Saying {
  t: Translate;
  format: Format;
  /** Names of the periods, which replace their numbers. */
  periods: readonly string[];
}

export function changeWords({ path, before, after }: Difference, saying: Saying): ChangeWords {
  return {
    path,
    what: placeWords(path, saying),
    before: valueWords(path, before, saying),
    after: valueWords(path, after, saying),
  };
}

/** Where in a program a path leads to: "Day: Heating". */
export function placeWords(path: string, { t, periods }: Saying): string {
  const [, part = '', index, rest = ''] = /^(\w{1,60})(?:\[(\d{1,4})\])?\.?(.*)$/.exec(path) ?? [];
  const at = Number(index ?? 0);
  const names: Record<string, () => string> = {
    periods: () =>
      index === undefined ? t('climate.periods') : (periods[at] ?? t('climate.periodNumber', { n: at + 1 })),
    influences: () => t('climate.influences.title') + (index === undefined ? '' : ` ${at + 1}`),
    overrides: () => t('climate.override.title'),
    is_activated: () => t('climate.isActivated'),
    name: () => t('climate.periodName'),
    from: () => t('climate.rehearsal.from'),
    days: () => t('climate.rehearsal.days'),
  };
  const known = programParts.find((one) => one === part);
  const partWord = known === undefined ? (names[part]?.() ?? part) : t(`climate.part.${known}`);
  return rest === '' ? partWord : t('climate.within', { part: partWord, field: fieldWords(rest, t) });
}

/** A field within a part, a row of a table by its number. */
function fieldWords(path: string, t: Translate): string {
  const [, name = path, index] =
    /\b(\w{1,60})(?:\[(\d{1,4})\])?(?:\.\w{1,60})?$/.exec(path.replace(/^(setpoints|start|ramp)\./, '')) ?? [];
  const word = fieldWord(name, t);
  return index === undefined ? word : `${word} ${Number(index) + 1}`;
}

const corners = ['from_x', 'to_x', 'from_y', 'to_y', 'on', 'source'] as const;

function fieldWord(name: string, t: Translate): string {
  const own = [
    'is_on',
    'has_feed_forward',
    'energy',
    'shade',
    'times',
    'screen_allowed',
    'lamps_allowed',
    'irrigation_allowed',
  ] as const;
  const field = [...own, 'slew_per_h' as const, 'measurement' as const].find((one) => one === name);
  if (field !== undefined) return t(`climate.field.${field}`);
  if (name in setpointFields) return t(`climate.setpoint.${name as SetpointField}`); // as `in` has it
  if (isLoopField(name)) return t(`climate.field.${name}`);
  const corner = corners.find((one) => one === name);
  if (corner !== undefined) return t(`climate.influences.${corner}`);
  if (name === 'k_per_h' || name === 'minutes' || name === 'ramp') return t('climate.ramp');
  if (name === 'event' || name === 'at' || name === 'offset_min' || name === 'start') return t('climate.begins');
  return name === 'name' ? t('climate.periodName') : name;
}

function valueWords(path: string, value: Json, saying: Saying): string {
  const { t, format } = saying;
  if (value === null) return t('climate.nothing');
  if (path === 'is_activated') return t(value === true ? 'climate.on' : 'climate.off');
  if (typeof value === 'boolean') return t(value ? 'ui.yes' : 'ui.no');
  if (typeof value === 'number') return amountText(path, value, format);
  if (typeof value === 'string') return textWords(value, t);
  if (Array.isArray(value)) return value.map((one) => valueWords(path, one, saying)).join(' · ');
  return rowWords(path, value, saying);
}

function textWords(value: string, t: Translate): string {
  const event = sunEvents.find((one) => one === value);
  if (event !== undefined) return t(`climate.event.${event}`);
  const setpoint = setpointNames.find((one) => one === value);
  if (setpoint !== undefined) return t(`climate.setpoint.${setpoint}`);
  const source = influenceSources.find((one) => one === value);
  return source === undefined ? value : t(`climate.source.${source}`);
}

/**
 * A row that came or went: a period by its name and temperatures, an influence, a hold or a point of a table by its
 * numbers.
 */
function rowWords(path: string, row: Readonly<Record<string, Json>>, saying: Saying): string {
  const { t } = saying;
  if (path.startsWith('influences')) return influenceWords(row, saying);
  const on = typeof row['on'] === 'string' ? row['on'] : undefined;
  if (path.startsWith('overrides') && on !== undefined)
    return [textWords(on, t), amountText(on, Number(row['value']), saying.format)].join(' ');
  const numbers = Object.entries({ ...row, ...(row['setpoints'] as object | undefined) }) // as a period has it
    .filter(([name, value]) => typeof value === 'number' && unitOf(name) !== undefined)
    .map(([name, value]) => `${fieldWord(name, t)} ${amountText(name, Number(value), saying.format)}`);
  const name = typeof row['name'] === 'string' ? [row['name']] : [];
  return [...name, ...numbers].join(t('ui.comma')) || t('climate.anEntry');
}

/** "Radiation outside 100 to 400 W/m²: Heating 0 to 2 K". */
export function influenceWords(
  row: Readonly<Record<string, unknown>>,
  { t, format }: Pick<Saying, 't' | 'format'>,
): string {
  const on = setpointNames.find((one) => one === row['on']);
  const source = influenceSources.find((one) => one === row['source']);
  if (on === undefined || source === undefined) return t('climate.anEntry');
  const span = (from: string, to: string, unit: string): string =>
    format.limits(Number(row[from]), Number(row[to]), unit);
  const by = `${t(`climate.source.${source}`)} ${span('from_x', 'to_x', sourceUnits[source])}`;
  return `${by}${t('ui.colon')}${t(`climate.setpoint.${on}`)} ${span('from_y', 'to_y', shiftUnits[on])}`;
}

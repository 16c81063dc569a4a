import { type MessageKey, useText } from '../../../i18n/index.ts';
import { useFormat } from '../../../ui/format.ts';
import { control } from '../../../i18n/en/control.ts';
import { devices } from '../../../i18n/en/devices.ts';
import { functions } from '../../../i18n/en/functions.ts';
import { methods } from '../../../i18n/en/methods.ts';
import { rules } from '../../../i18n/en/rules.ts';
import type { Fault } from './field-faults.ts';
import { useForm, type FormWords } from './form-context.ts';
import type { OptionSchema } from './option-schema.ts';

/** The texts a section has for a form. */
type Words = Record<'fields' | 'help' | 'choices', object>;

const { fields, help, choices, accepted } = devices;
const sections: Readonly<Record<FormWords, Words>> = {
  control,
  rules,
  functions,
  methods,
};

/** The list of an entry or of a field in it: `actions` for `actions[0]` and `actions[0].name`. */
const listOfPath = /\b(\w{1,60})\[\d{1,4}\](?:\.\w{1,60})?$/;

function isKeyOf<Known extends object>(known: Known, key: string): key is keyof Known & string {
  return Object.hasOwn(known, key);
}

/** `unit_id` as `Unit id`: for options without texts. */
function plain(key: string): string {
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Longer ones first: `_ml_s` ends in `_s` too. */
const unitSuffix: Readonly<Record<string, string>> = {
  _ml_s: 'ml/s',
  _ml: 'ml',
  offset_min: 'min',
  minutes: 'min',
  _s: 's',
  _ms: 'ms',
  _deg: 'deg',
  _pct: '%',
  _a: 'A',
  _m: 'm',
  _c: 'C',
};

/** A week, s. */
const longTime_s = 604_800;

/** Limits this large only keep numbers finite; no entry reaches them. */
const farLimit = 1e6;

/** Texts of a generated field in the language of the page: the schema's descriptions are English, for programs. */
export function useFieldText(path: () => string = () => '') {
  const { t } = useText();
  const format = useFormat();
  const form = useForm();
  const sectionOf = (): FormWords | undefined => form.words?.();

  /** A field with texts in the section itself; in a list, prefixed with the list's name: `actions_name`. */
  function ownKey(part: 'fields' | 'help' | 'choices', key: string): string | null {
    const section = sectionOf();
    if (section === undefined) return null;
    const list = listOfPath.exec(path())?.[1];
    const names = list === undefined ? [key] : [`${list}_${key}`, key];
    return names.find((name) => isKeyOf(sections[section][part], name)) ?? null;
  }

  function hasChoice(key: string, word: string): boolean {
    const section = sectionOf();
    const all = section === undefined ? {} : sections[section].choices;
    return Object.entries(all).some(([name, words]) => name === key && isKeyOf(words, word));
  }

  function own(part: 'fields' | 'help', key: string): string | null {
    const known = ownKey(part, key);
    return known === null ? null : t(`${sectionOf()}.${part}.${known}` as MessageKey); // just found
  }

  function label(key: string): string {
    const known = own('fields', key);
    if (known !== null) return known;
    return isKeyOf(fields, key) ? t(`devices.fields.${key}`) : plain(key);
  }

  function helpOf(key: string): string {
    return own('help', key) ?? (isKeyOf(help, key) ? t(`devices.help.${key}`) : '');
  }

  function unitOf(key: string, schema: OptionSchema): string {
    return schema.unit ?? Object.entries(unitSuffix).find(([suffix]) => key.endsWith(suffix))?.[1] ?? '';
  }

  /** A time of a week or more, which is not readable in seconds. */
  function isLongTime(key: string, schema: OptionSchema): boolean {
    return unitOf(key, schema) === 's' && (schema.maximum ?? 0) >= longTime_s;
  }

  /** A limit or default as its field shows the entry. */
  function figure(value: number, key: string, schema: OptionSchema, unit: string): string {
    return isLongTime(key, schema) ? format.duration(value) : format.figure(value, unit);
  }

  function range(key: string, schema: OptionSchema, unit: string): string {
    const { minimum, maximum, exclusiveMinimum } = schema;
    const from = minimum ?? exclusiveMinimum;
    if (from === undefined || maximum === undefined || maximum >= farLimit) return '';
    const said = (value: number): string => figure(value, key, schema, unit);
    return t('ui.range', { from: said(from), to: said(maximum) });
  }

  function choice(key: string, word: string): string {
    const known = `${key}.${word}` as const;
    const mine = ownKey('choices', key);
    if (mine !== null && hasChoice(mine, word)) return t(`${sectionOf()}.choices.${mine}.${word}` as MessageKey); // just found
    return isKeyOf(choices, key) && isKeyOf(choices[key], word)
      ? t(`devices.choices.${known}` as MessageKey)
      : word.replaceAll('_', ' '); // both parts were just found
  }

  function defaultText(key: string, schema: OptionSchema, unit: string): string {
    const { default: given } = schema;
    if (typeof given === 'string') return choice(key, given);
    return typeof given === 'number' ? figure(given, key, schema, unit) : '';
  }

  return {
    label,
    choice,
    unitOf,
    isLongTime,
    defaultText,
    helpOf,
    /** Its purpose, and limits and default in the site's units for the wire unit of the field. */
    hint: (key: string, schema: OptionSchema, unit = ''): string => {
      const usual = defaultText(key, schema, unit);
      const without = usual === '' ? '' : t('devices.form.default', { value: usual });
      return [helpOf(key), range(key, schema, unit), without].filter((text) => text !== '').join(' · ');
    },
    fault: (key: string, fault: Fault, schema: OptionSchema, unit = ''): string => {
      if (fault === 'form' && isKeyOf(accepted, key)) return t(`devices.accepted.${key}`);
      if (fault === 'range' || fault === 'whole') {
        const { minimum, maximum } = schema;
        if (minimum === undefined || maximum === undefined) return t('devices.form.invalid');
        const said = (value: number): string => figure(value, key, schema, unit);
        const words = fault === 'whole' || schema.type === 'integer' ? 'devices.form.whole' : 'devices.form.between';
        return t(words, { from: said(minimum), to: said(maximum) });
      }
      return t(fault === 'required' || fault === 'too_few' ? 'ui.required' : 'devices.form.invalid');
    },
  };
}

import { computed, type ComputedRef, type Ref } from 'vue';
import { spanFileName } from '../../../server/contract/file-name.ts';
import { measurementEndpoints, mostDecimals } from '../../../server/contract/measurement-query.ts';
import type { Line } from '../../chart/lines.ts';
import type { Span } from '../../chart/night.ts';
import type { PlotArea } from '../../chart/plot.ts';
import { addressOf } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useNotice } from '../../stores/notice.ts';
import { useSettings } from '../../stores/settings.ts';
import { digitsOf, showQuantity, shownUnit } from '../../units/quantity.ts';
import { housesByDevice } from '../../ui/alarm-house.ts';
import { useFormat } from '../../ui/format.ts';
import { whereOf, type Channel } from './channels.ts';
import { backMs, type Comparison } from './comparison.ts';
import { placed, type LegendRow } from './legend.ts';
import { PictureError, savePicture } from './picture.ts';
import { stateKinds, type OutputChannel, type Strip } from './states.ts';
import { useMeanText } from './use-strip-text.ts';

interface Shown {
  /** Keys of the lines, and of those of another house that they are compared with. */
  chosen: Readonly<Ref<readonly string[]>>;
  besideKeys: Readonly<Ref<readonly string[]>>;
  channels: Readonly<Ref<readonly Channel[]>>;
  outputs: Readonly<Ref<readonly OutputChannel[]>>;
  compare: Readonly<Ref<Comparison | null>>;
  /** The house of a channel while houses are compared; empty otherwise. */
  placeOf: (key: string) => string;
  rows: Readonly<Ref<readonly LegendRow[]>>;
  strips: Readonly<Ref<readonly Strip[]>>;
  expected: Readonly<Ref<readonly Line[]>>;
  span: Readonly<Ref<Span>>;
  area: Readonly<Ref<PlotArea>>;
  isDark: Readonly<Ref<boolean>>;
  /** Under which it is saved; empty when it is not. */
  viewName: () => string;
}

/** What the table is measured in, whatever the units of the page. */
const stored = { length_unit: 'm', temperature_unit: 'c' } as const;

/** What a column of the table is called, and how many decimals its values have at most. */
interface Column {
  words: readonly string[];
  unit: string;
  decimals: number;
}

/** Those of the sensor; where its step is unknown one more than the page shows of the unit, and all without a unit. */
function decimalsOf({ resolution, unit }: Pick<Channel, 'resolution' | 'unit'>): number {
  if (resolution !== undefined) return digitsOf(resolution, unit, stored);
  return unit === '' ? mostDecimals : showQuantity(1, unit, stored).digits + 1;
}

/** Characters of the 500 that a heading may have: the rest is for its unit. */
const longestWords = 400;
/** Bytes for all headings in the address: with all else at the head of a request they stay within 16 KiB. */
const headingsBytes = 12_000;

/** The beginning of words that are too long for a heading, or for its share of the address. */
function shortened(text: string, bytes: number): string {
  const fits = (one: string): boolean =>
    one.length <= longestWords && new URLSearchParams({ columns: one }).toString().length <= bytes;
  if (fits(text)) return text;
  const letters = [...text];
  while (letters.length > 0 && !fits(`${letters.join('')}…`)) letters.pop();
  return `${letters.join('')}…`;
}

/** What is shown as files that say by themselves what they hold: a picture, and a table of the measurements. */
export function useFiles(shown: Shown): {
  /** Address of the table; null while nothing is chosen. */
  csv: ComputedRef<string | null>;
  savePicture: (chart: HTMLCanvasElement) => Promise<void>;
} {
  const { t } = useText();
  const format = useFormat();
  const settings = useSettings();
  const facilities = useFacilities();
  const notice = useNotice();
  const meanText = useMeanText();
  const seriesKeys = computed(() => [...shown.chosen.value, ...shown.besideKeys.value]);

  function columnOf(key: string, time = ''): Column {
    const channel = shown.channels.value.find((one) => one.key === key);
    if (channel === undefined) return { words: [key], unit: '', decimals: mostDecimals };
    const where = [...new Set([shown.placeOf(key), channel.house])].filter(Boolean);
    return {
      words: [channel.name, time, ...where, whereOf({ ...channel, house: '' })],
      unit: shownUnit(channel.unit, stored),
      decimals: decimalsOf(channel),
    };
  }

  /** With its unit whole, however long its words are. */
  const headed = ({ words, unit }: Omit<Column, 'decimals'>, bytes: number): string =>
    aside(shortened(words.filter(Boolean).join(' · '), bytes), unit);
  const aside = (text: string, more: string): string => (more === '' ? text : t('ui.aside', { text, more }));

  const csv = computed(() => {
    const [outputs, compare] = [shown.outputs.value, shown.compare.value];
    const back = compare?.with === 'earlier' ? compare.back : null;
    const earlier = back === null ? [] : seriesKeys.value.map((key) => columnOf(key, t(`trends.comparisons.${back}`)));
    if (seriesKeys.value.length + outputs.length === 0) return null;
    const columns = [
      ...seriesKeys.value.map((key) => columnOf(key)),
      ...earlier,
      ...outputs.map((one): Column => {
        const unit = one.isSwitch ? t('trends.csvSwitch') : '%';
        return { words: [one.name, whereOf(one)], unit, decimals: 1 };
      }),
    ];
    const times = [
      { words: [t('trends.csvTime')], unit: settings.site?.time_zone ?? '' },
      { words: [t('trends.csvOffset')], unit: format.unit('h') },
    ];
    const headings = [...times, ...columns];
    const query = {
      series: seriesKeys.value.join(',') || undefined,
      outputs: outputs.map(({ key }) => key).join(',') || undefined,
      earlier_s: back === null || earlier.length === 0 ? undefined : backMs[back] / 1000,
      clock: 'site' as const,
      columns: headings.map((one) => headed(one, headingsBytes / headings.length)),
      decimals: columns.map(({ decimals }) => decimals).join(','),
      from: new Date(shown.span.value.from_ms).toISOString(),
      to: new Date(shown.span.value.to_ms).toISOString(),
    };
    return addressOf(measurementEndpoints.csv, { query });
  });

  /** The houses and what is drawn of them. */
  function subject(rows: readonly LegendRow[]): string {
    const houseOf = housesByDevice(facilities.list);
    const devices = [...seriesKeys.value, ...shown.strips.value.map(({ key }) => key)].map((key) => key.split('/')[0]);
    const houses = devices.map((id) => houseOf.get(id ?? '')?.name ?? '');
    const listed = (words: readonly string[]): string => [...new Set(words)].filter(Boolean).join(t('ui.comma'));
    return [listed(houses), listed(rows.map(({ name }) => name))].filter(Boolean).join(t('ui.colon'));
  }

  const spanText = ({ from_ms, to_ms }: Span): string =>
    t('ui.span', { from: format.dateTime(from_ms), to: format.dateTime(to_ms) });

  /** The earlier time, or the other house, that is drawn beside what is shown; empty for none. */
  function comparedText({ from_ms, to_ms }: Span): string {
    const compare = shown.compare.value;
    if (compare === null) return '';
    if (compare.with === 'house') {
      const house = facilities.list.find(({ unique_id }) => unique_id === compare.facility_uuid);
      return house === undefined ? '' : t('trends.comparedWith', { what: house.name });
    }
    const by_ms = backMs[compare.back];
    const earlier = spanText({ from_ms: from_ms - by_ms, to_ms: to_ms - by_ms });
    return t('trends.comparedWith', { what: aside(t(`trends.comparisons.${compare.back}`), earlier) });
  }

  async function save(chart: HTMLCanvasElement): Promise<void> {
    const { site } = settings;
    const span = shown.span.value;
    const zone = site?.time_zone ?? 'UTC';
    const rows = shown.rows.value.filter(({ isHidden }) => !isHidden);
    const strips = shown.strips.value.map((strip) => ({
      text: [strip.name, whereOf(strip), meanText(strip), strip.isComplete ? '' : t('trends.newestStates')]
        .filter(Boolean)
        .join(' · '),
      states: strip.states,
      isComplete: strip.isComplete,
    }));
    const picture = {
      chart,
      area: shown.area.value,
      span,
      title: shown.viewName() || subject(rows),
      place: [aside(`${site?.site_name || t('shell.product')} · ${spanText(span)}`, zone), comparedText(span)]
        .filter(Boolean)
        .join(' · '),
      strips,
      key: strips.length === 0 ? [] : stateKinds.map((kind) => ({ kind, text: t(`trends.state.${kind}`) })),
      names: rows.map((row) => ({
        look: row.look,
        kind: row.kind,
        text: aside([row.name, placed(row)].join(' – '), row.unit),
      })),
      note: shown.expected.value.length > 0 ? t('trends.forecast.meaning') : '',
      isDark: shown.isDark.value,
    };
    try {
      await savePicture(picture, `${spanFileName(site?.site_name ?? '', span, zone)}.png`);
    } catch (thrown) {
      if (!(thrown instanceof PictureError)) throw thrown;
      notice.problem(t('trends.pictureFailed'));
    }
  }

  return { csv, savePicture: save };
}

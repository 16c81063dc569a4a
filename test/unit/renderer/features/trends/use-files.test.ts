// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, h, ref } from 'vue';
import type { Facility } from '../../../../../server/contract/facility.ts';
import { defaultSettings } from '../../../../../server/services/setting/defaults.ts';
import type { Comparison } from '../../../../../renderer/features/trends/comparison.ts';
import { useFiles } from '../../../../../renderer/features/trends/use-files.ts';
import { useFacilities } from '../../../../../renderer/stores/facility.ts';
import { useNotice } from '../../../../../renderer/stores/notice.ts';
import { useSettings } from '../../../../../renderer/stores/settings.ts';
import { recordCanvases, type Drawn } from '../../../../support/recorded-canvas.ts';
import { mounted } from '../../ui/mounted.ts';

const span = { from_ms: Date.UTC(2026, 1, 28, 15), to_ms: Date.UTC(2026, 2, 1, 15) };
const area = { left_px: 62, width_px: 500, top_px: 8, height_px: 300 };
const air = { house: '', device: 'Box', name: 'Air', unit: 'C', measurement: 'temperature', measured: 'Temperature' };
const channels = ['north', 'south'].map((device_id) => ({
  ...air,
  ...(device_id === 'north' && { resolution: 0.5 }),
  key: `${device_id}/air`,
  device_id,
  measurement_id: 'air',
  house: device_id === 'north' ? 'North' : 'South',
}));
const row = { device: 'Box', name: 'Air', unit: '°C', look: 0, digits: 1, value: 20, newest_ms: null, freshFor_ms: 0 };
const sums = { mean: null, least: null, most: null, sum: null };
const rows = [
  { ...row, ...sums, key: 'north/air', of: 'north/air', isHidden: false, place: 'North' },
  { ...row, ...sums, key: 'b', of: 'north/air', kind: 'earlier' as const, isHidden: false, place: 'the year before' },
  { ...row, ...sums, key: 'c', of: 'north/soil', name: 'Soil', isHidden: true, place: '' },
];
const fan = { key: 'fan/0', house: '', device: 'Fan', name: 'Fan', isSwitch: true };
const states = [
  { from_ms: span.from_ms, to_ms: span.from_ms + 12 * 3_600_000, state: 100 },
  { from_ms: span.from_ms + 12 * 3_600_000, to_ms: span.to_ms, state: 0 },
];
const strip = { ...fan, states, isComplete: true, switches: [], hasAllSwitches: true };
const houses = ['north', 'south'].map((id): Partial<Facility> => ({
  unique_id: id,
  name: id === 'north' ? 'North' : 'South',
  sensors: [{ role: 'indoor_temp', name: '', device_id: id, measurement_id: 'air' }],
  actuators: [],
}));

let drawn: Drawn[];
let saved: string[];
beforeEach(() => {
  drawn = recordCanvases();
  saved = [];
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((taken) => taken(new Blob(['png'])));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});
afterEach(() => vi.unstubAllGlobals());

function files(
  given: {
    viewName?: string;
    besideKeys?: string[];
    hasOutputs?: boolean;
    compare?: Comparison;
    longName?: string;
    isComplete?: boolean;
    isSwitch?: boolean;
  } = {},
) {
  const {
    viewName = '',
    besideKeys = [],
    hasOutputs = true,
    compare = null,
    longName = 'Air',
    isComplete = true,
    isSwitch = true,
  } = given;
  let used: ReturnType<typeof useFiles> | undefined;
  const Page = defineComponent(() => {
    useSettings().site = { ...defaultSettings('Asia/Seoul'), site_name: 'Kim / Lee' };
    useFacilities().list = houses as Facility[]; // what is read of them
    used = useFiles({
      chosen: ref(['north/air']),
      besideKeys: ref(besideKeys),
      channels: ref(channels.map((one) => ({ ...one, name: longName }))),
      outputs: ref(hasOutputs ? [{ ...fan, isSwitch, device_id: 'fan', channel: 0 }] : []),
      compare: ref(compare),
      placeOf: (key) => (besideKeys.length === 0 ? '' : key.startsWith('north') ? 'North' : 'South'),
      rows: ref(rows),
      strips: ref(hasOutputs ? [{ ...strip, isSwitch, isComplete, states: states.slice(isComplete ? 0 : 1) }] : []),
      expected: ref([]),
      span: ref(span),
      area: ref(area),
      isDark: ref(false),
      viewName: () => viewName,
    });
    return () => h('i');
  });
  mounted(Page, {});
  if (used === undefined) throw new Error('not set up');
  return used;
}

const chart = (): HTMLCanvasElement => Object.assign(document.createElement('canvas'), { width: 600, height: 320 });
const texts = (): unknown[] => drawn.flatMap(({ name, args }) => (name === 'fillText' ? [args[0]] : []));

it('saves a picture that says of which site, houses and time it is, with its legend and the states of outputs', async () => {
  await files().savePicture(chart());
  expect(texts()).toEqual([
    'North: Air',
    expect.stringMatching(/^Kim \/ Lee · .*2026.* – .*2026.* \(Asia\/Seoul\)$/),
    'Fan · on for 50\u202f% of the recorded time',
    'On',
    'Position or duty cycle',
    'Off',
    'Unknown',
    'Not recorded',
    'Air – North · Box (°C)',
    'Air – the year before · Box (°C)',
  ]);
  const boxes = drawn.filter(({ name }) => name === 'fillRect').map(({ args }) => args);
  expect(boxes).toContainEqual([62, expect.any(Number), 250, 14]);
  expect(boxes).toContainEqual([312, expect.any(Number), 250, 3]);
  expect(saved).toEqual(['Kim _ Lee 2026-03-01 0000 - 2026-03-02 0000.png']);
});

it('says of which time the states of a picture are where the oldest are left out, and leaves the rest blank', async () => {
  await files({ isComplete: false }).savePicture(chart());
  const said = texts().slice(2, 4).join(''); // wider than the chart
  expect(said).toMatch(/^Fan · on for 0\u202f% of the recorded time since .*2026.* · the newest 2,000 changes$/);
  const [outline] = drawn.filter(({ name }) => name === 'strokeRect').map(({ args }) => args);
  expect(outline).toEqual([312.5, expect.any(Number), 249, 13]);
});

it('says where what has positions stood, and with what all is compared', async () => {
  await files({ isSwitch: false, compare: { with: 'earlier', back: 'year' } }).savePicture(chart());
  expect(texts()).toContain('Fan · 50\u202f% on average in the recorded time');
  const place = texts().slice(1, 4).join(''); // wider than the chart
  expect(place).toMatch(/\(Asia\/Seoul\) · compared with the year before \(.*2025.* – .*2025.*\)/);
  drawn.splice(0);
  await files({ viewName: 'Air of the day', compare: { with: 'house', facility_uuid: 'south' } }).savePicture(chart());
  expect(texts().slice(0, 3).join('')).toMatch(/^Air of the day.*\(Asia\/Seoul\) · compared with South/);
});

it('is called as its saved view, and has no states where none are shown', async () => {
  await files({ viewName: 'Air of the day', hasOutputs: false }).savePicture(chart());
  expect(texts()[0]).toBe('Air of the day');
  expect(texts()).not.toContain('Not recorded');
});

it('breaks a title that is wider than the chart', async () => {
  await files({ viewName: 'A title far too long '.repeat(9).trim() }).savePicture(chart());
  const title = texts().filter((text) => String(text).includes('title'));
  expect(title.length).toBeGreaterThan(1);
  for (const line of title) expect(7 * String(line).trimEnd().length).toBeLessThanOrEqual(600);
});

it('leaves a unit with its number where it breaks a text', async () => {
  await files({ viewName: `${'a '.repeat(39)}50\u202f%` }).savePicture(chart());
  expect(texts()[1]).toBe('50\u202f%');
});

it('wraps a word that is wider than the chart without an empty line before it', async () => {
  await files({ viewName: 'Unbreakable'.repeat(20) }).savePicture(chart());
  expect(texts()[0]).not.toBe('');
});

it('says that a picture could not be saved: the browser draws none so large', async () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((taken) => taken(null));
  await files().savePicture(chart());
  expect(useNotice().shown?.kind).toBe('problem');
  expect(useNotice().shown?.text).toContain('could not be saved');
  expect(saved).toEqual([]);
});

it('takes no fault of the program for a picture that is too large', async () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(() => {
    throw new TypeError('no such state');
  });
  await expect(files().savePicture(chart())).rejects.toThrow('no such state');
  expect(useNotice().shown).toBeNull();
});

it('heads the columns of the table as the legend does, in the units they are stored in', () => {
  const query = (address: string | null) => new URL(address ?? '', 'https://site').searchParams;
  const table = query(files({ besideKeys: ['south/air'] }).csv.value);
  expect(table.get('series')).toBe('north/air,south/air');
  expect(table.get('outputs')).toBe('fan/0');
  expect(table.get('clock')).toBe('site');
  const times = ['Time (Asia/Seoul)', 'Offset from UTC (h)'];
  expect(table.getAll('columns')).toEqual([
    ...times,
    'Air · North · Box (°C)',
    'Air · South · Box (°C)',
    'Fan (100 % = on)',
  ]);
  expect(table.get('decimals')).toBe('1,2,1'); // the step of the first sensor is known
  expect(table.has('earlier_s')).toBe(false);
  expect(query(files({ hasOutputs: false }).csv.value).has('outputs')).toBe(false);
  const before = query(files({ compare: { with: 'earlier', back: 'year' } }).csv.value);
  expect(before.get('earlier_s')).toBe(String(365 * 86_400));
  expect(before.get('decimals')).toBe('1,1,1');
  expect(before.getAll('columns')).toEqual([
    ...times,
    'Air · North · Box (°C)',
    'Air · the year before · North · Box (°C)',
    'Fan (100 % = on)',
  ]);
});

it('shortens headings that would be refused, and keeps their units', () => {
  const table = (named: Parameters<typeof files>[0]) => new URL(files(named).csv.value ?? '', 'https://site');
  const [, , air, fan] = table({ longName: 'Air '.repeat(150) }).searchParams.getAll('columns');
  expect(air).toMatch(/^(Air )+.*… \(°C\)$/);
  expect([air?.length, fan]).toEqual([405, 'Fan (100 % = on)']);
  const besideKeys = Array.from({ length: 23 }, () => 'south/air');
  const all = table({ longName: '온도🌱'.repeat(60), besideKeys });
  expect(all.searchParams.getAll('columns').at(2)).toMatch(/^(온도🌱)+.*… \(°C\)$/u);
  expect(all.search.length).toBeLessThan(14_000);
});

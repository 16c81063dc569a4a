import type { SourceFeature } from './source-file.ts';

/**
 * Columns that form an address, in the order of writing: plain names, those of Korea's continuous cadastral map
 * (LSMD_CONT_LDREG, AL_D002) and of Japan's maps of the land registry.
 */
const addressColumns: readonly (readonly string[])[] = [
  ['address', 'addr', 'full_address', '주소', '지번주소', '소재지', '소재지지번', '住所', '所在地'],
  [
    'a3',
    '법정동명',
    'emd_nm',
    '市区町村名',
    '大字名',
    'ri_nm',
    '丁目名',
    '小字名',
    '予備名',
    'jibun',
    'a5',
    '지번',
    '地番',
  ],
];
const idColumns = ['pnu', 'a1', 'parcel_id', 'parcelid', '고유번호', '필지고유번호', '筆id', 'id', 'gml_id', 'fid'];
const longest = 500;

/** Address and number of a parcel from known columns, else from all texts beside it. */
export function namesOf(properties: SourceFeature['properties']): { address: string; parcel_id: string } {
  const columns = new Map(
    Object.entries(properties).map(([name, value]) => [name.trim().toLowerCase(), textOf(value)]),
  );
  const texts = (names: readonly string[]): string[] => names.flatMap((name) => columns.get(name) || []);
  const parcel_id = texts(idColumns)[0] ?? '';
  const found = addressColumns.map(texts).find((list) => list.length > 0);
  const others = [...columns].filter(([name]) => !idColumns.includes(name)).map(([, text]) => text);
  const parts = found ?? others.filter((text) => /\p{L}/u.test(text));
  return { address: [...new Set(parts)].join(' ').slice(0, longest), parcel_id: parcel_id.slice(0, 200) };
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  return typeof value === 'string' ? value.normalize('NFC').trim() : '';
}

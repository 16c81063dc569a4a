import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { townSearch, zoneOf } from '../../../../../renderer/features/setup/towns.ts';

const file = join(import.meta.dirname, '../../../../../resources/places.json');
const { rows } = JSON.parse(readFileSync(file, 'utf8')) as { rows: string[] }; // as it comes with the page
const find = townSearch(rows);

interface Place {
  lat: number;
  lng: number;
}

/** On a plane, which is near enough for neighbours. */
function kmBetween(one: Place, other: Place): number {
  const km = 111.2; // a degree of latitude
  return km * Math.hypot(one.lat - other.lat, (one.lng - other.lng) * Math.cos((one.lat * Math.PI) / 180));
}

describe('townSearch', () => {
  it.each([
    ['Rotterdam', 'Rotterdam', 'NL'],
    ['almer', 'Almería', 'ES'],
    ['수원', 'Suwon', 'KR'],
    ['수원시', 'Suwon', 'KR'],
    ['김제', 'Gimje', 'KR'],
    ['つくば市', 'Tsukuba', 'JP'],
    ['熊本', 'Kumamoto', 'JP'],
    ['파리', 'Paris', 'FR'],
    ['Jinju', 'Jinju', 'KR'],
    ['Chinju', 'Jinju', 'KR'],
    ['진주', 'Jinju', 'KR'],
    ['Gimhae', 'Gimhae', 'KR'],
    ['kimhae', 'Gimhae', 'KR'],
    ['Samcheok', 'Samcheok', 'KR'],
    ['Samch’ŏk', 'Samcheok', 'KR'],
    ['성주군', 'Seongju', 'KR'],
    ['Songju', 'Seongju', 'KR'],
    ['Haman', 'Haman', 'KR'],
    ['Yongin', 'Yongin', 'KR'],
    ['豊橋', 'Toyohashi', 'JP'],
    ['Yatsushiro', 'Yatsushiro', 'JP'],
    ['泉佐野', 'Izumisano', 'JP'],
    ['Bleiswijk', 'Bleiswijk', 'NL'],
    ['Luttelgeest', 'Luttelgeest', 'NL'],
    ['s-Gravenz', "'s-Gravenzande", 'NL'],
  ])('%s is %s', (typed, name, country) => {
    expect(find(typed)).toContainEqual(expect.objectContaining({ name, country }));
  });

  it('puts the largest first, and at most 20', () => {
    expect(find('San')).toHaveLength(20);
    expect(find('Paris')[0]).toMatchObject({ country: 'FR', own: { ko: '파리', ja: 'パリ' } });
  });

  it('places towns where they are', () => {
    const at = (name: string, country: string) => find(name).find((one) => one.country === country);
    expect(at('Jinju', 'KR')).toMatchObject({
      lat: expect.closeTo(35.19, 1) as number,
      lng: expect.closeTo(128.08, 1) as number,
    });
    expect(at('Seongju', 'KR')).toMatchObject({
      lat: expect.closeTo(35.92, 1) as number,
      lng: expect.closeTo(128.28, 1) as number,
    });
    expect(at('Bleiswijk', 'NL')).toMatchObject({
      lat: expect.closeTo(52.01, 1) as number,
      lng: expect.closeTo(4.53, 1) as number,
    });
  });

  it('spells every town of Korea in Latin letters without accents, and in Hangul', () => {
    const wrong = rows.filter((row) => {
      const [name = '', country, , , ko = ''] = row.split('\t');
      return country === 'KR' && !(/^[A-Z][a-z]+(?:-ri|-dong)?$/.test(name) && /^[가-힣]+$/.test(ko));
    });
    expect(wrong).toEqual([]);
  });

  it('has each town once: none of one name and country is within 15 km of another', () => {
    const placesOf = new Map<string, Place[]>();
    const twice = rows.filter((row) => {
      const [name = '', country = '', lat, lng] = row.split('\t');
      const place = { lat: Number(lat), lng: Number(lng) };
      const others = placesOf.get(`${name} ${country}`) ?? [];
      placesOf.set(`${name} ${country}`, [...others, place]);
      return others.some((other) => kmBetween(place, other) < 15);
    });
    expect(twice).toEqual([]);
  });

  it('finds nothing where nothing, or no town, is typed', () => {
    expect([find(''), find('  '), find('Qqqqq')]).toEqual([[], [], []]);
  });

  it('has a place on the earth and a country for every row', () => {
    const wrong = rows.filter((row) => {
      const [name, country, lat, lng] = row.split('\t');
      const isPlace = Math.abs(Number(lat)) <= 90 && Math.abs(Number(lng)) <= 180 && lat !== '' && lng !== '';
      return !name || !/^[A-Z]{2}$/.test(country ?? '') || !isPlace;
    });
    expect(wrong).toEqual([]);
  });
});

describe('zoneOf', () => {
  it.each([
    [37.26, 127.03, 'Asia/Seoul'],
    [36.06, 140.12, 'Asia/Tokyo'],
    [51.99, 4.2, 'Europe/Amsterdam'],
    [42.05, -82.6, 'America/Toronto'],
    [0, -30, null],
  ])('%d, %d: %s', async (lat, lng, zone) => {
    expect(await zoneOf({ lat, lng })).toBe(zone);
  });

  it.each([
    ['Delhi', 28.65, 77.23, 'Asia/Kolkata'],
    ['Ho Chi Minh City', 10.78, 106.7, 'Asia/Ho_Chi_Minh'],
    ['Kyiv', 50.45, 30.52, 'Europe/Kyiv'],
    ['Kathmandu', 27.7, 85.32, 'Asia/Kathmandu'],
    ['Buenos Aires', -34.6, -58.4, 'America/Argentina/Buenos_Aires'],
  ])('%s, at %d, %d, has the listed name of %s', async (_town, lat, lng, zone) => {
    const found = await zoneOf({ lat, lng });
    expect(Intl.supportedValuesOf('timeZone')).toContain(found);
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    expect(found).toBe(timeZone);
  });
});

import townsAddress from '../../../resources/places.json?url';
import type { Language } from '../../../server/contract/language.ts';

/** A town of the list that comes with the page. */
export interface Town {
  name: string;
  /** ISO 3166-1, two letters. */
  country: string;
  lat: number;
  lng: number;
  /** Its names in languages that have one of their own for it. */
  own: Partial<Record<Language, string>>;
}

const mostFound = 20;
/** What Korean and Japanese put behind the name of a town and leave out as often. */
const kindOfTown = /[시군읍면구市町村区郡]$/;

/** A text as it is compared: without accents and spaces, in small letters. */
function folded(text: string): string {
  const plain = text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '');
  return plain
    .normalize('NFC')
    .replaceAll(/[\s'’-]/g, '')
    .toLowerCase();
}

function townOf(row: string): Town {
  const [name = '', country = '', lat, lng, ko, ja] = row.split('\t');
  return { name, country, lat: Number(lat), lng: Number(lng), own: { ...(ko && { ko }), ...(ja && { ja }) } };
}

/** Finds towns of a list by the beginning of any of their names, in the order of the list. */
export function townSearch(rows: readonly string[]): (text: string) => Town[] {
  const towns = rows.map((row) => {
    const town = townOf(row);
    return { town, names: [town.name, ...Object.values(town.own)].map(folded) };
  });
  return (text) => {
    const asked = folded(text);
    if (asked === '') return [];
    const short = asked.length > 2 ? asked.replace(kindOfTown, '') : asked;
    const isMeant = (name: string): boolean => name.startsWith(asked) || name === short;
    return towns
      .filter(({ names }) => names.some(isMeant))
      .slice(0, mostFound)
      .map(({ town }) => town);
  };
}

let search: Promise<ReturnType<typeof townSearch>> | undefined;

/** Reads the list once; the next call tries again where that failed. */
export function loadTowns(): Promise<ReturnType<typeof townSearch>> {
  search ??= fetch(townsAddress)
    .then((answer) => answer.json() as Promise<{ rows: string[] }>) // the file that came with the page
    .then(({ rows }) => townSearch(rows))
    .catch((error: unknown) => {
      search = undefined;
      throw error;
    });
  return search;
}

/** A time zone by the name that this browser lists it under, e.g. Asia/Calcutta for Asia/Kolkata; null where it knows none. */
function listedZone(zone: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    return Intl.supportedValuesOf('timeZone').includes(timeZone) ? timeZone : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The IANA time zone of a place; null at sea, and where this browser does not know it. */
export async function zoneOf({ lat, lng }: { lat: number; lng: number }): Promise<string | null> {
  const { default: lookUp } = await import('@photostructure/tz-lookup');
  return listedZone(lookUp(lat, lng));
}

import townsAddress from '../../../resources/places.json?url';
import type { Language } from '../../../server/contract/language.ts';

/** A town in the bundled list. */
export interface Town {
  name: string;
  /** ISO 3166-1, two letters. */
  country: string;
  lat: number;
  lng: number;
  /** Its names in languages that have their own. */
  own: Partial<Record<Language, string>>;
}

const mostFound = 20;
/** Suffixes of Korean and Japanese town names, which are often left out. */
const kindOfTown = /[시군읍면구市町村区郡]$/;

/** A text normalised for comparison: lower case, without accents and spaces. */
function folded(text: string): string {
  const plain = text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '');
  return plain
    .normalize('NFC')
    .replaceAll(/[\s'’-]/g, '')
    .toLowerCase();
}

/** A town, and all that it is called, e.g. Jinju, 진주시 and Chinju. */
function townOf(row: string): { town: Town; names: string[] } {
  const [name = '', country = '', lat, lng, ko = '', ja = '', others = ''] = row.split('\t');
  const town = { name, country, lat: Number(lat), lng: Number(lng), own: { ...(ko && { ko }), ...(ja && { ja }) } };
  return { town, names: [name, ko, ja, ...others.split(',')].filter(Boolean).map(folded) };
}

/** Finds towns whose name, in any language and spelling, begins with the text, in the order of the list. */
export function townSearch(rows: readonly string[]): (text: string) => Town[] {
  const towns = rows.map(townOf);
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

/** Loads the list once; after a failure the next call tries again. */
export function loadTowns(): Promise<ReturnType<typeof townSearch>> {
  search ??= fetch(townsAddress)
    .then((answer) => answer.json() as Promise<{ rows: string[] }>) // the file bundled with the page
    .then(({ rows }) => townSearch(rows))
    .catch((error: unknown) => {
      search = undefined;
      throw error;
    });
  return search;
}

/** The name under which this browser lists a time zone, e.g. Asia/Calcutta for Asia/Kolkata; null when it has none. */
function listedZone(zone: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    return Intl.supportedValuesOf('timeZone').includes(timeZone) ? timeZone : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The IANA time zone of a place; null at sea, and when this browser does not know it. */
export async function zoneOf({ lat, lng }: { lat: number; lng: number }): Promise<string | null> {
  const { default: lookUp } = await import('@photostructure/tz-lookup');
  return listedZone(lookUp(lat, lng));
}

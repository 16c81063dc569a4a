import { isRefusal, Refusal, type ErrorCode } from '../../contract/errors.ts';
import type { Parcel, ParcelRow, ParcelRows } from '../../contract/parcel.ts';
import { checkGeometry, isFault } from '../../domain/geometry/feature-geometry.ts';
import { groundArea_m2 } from '../../domain/geometry/ground-area.ts';
import type { FoundParcels, ParcelProvider, Place } from './provider.ts';
import type { TableRow } from './table.ts';

interface Batch {
  rows: readonly TableRow[];
  /** Throws `provider_not_configured`. */
  provider: () => ParcelProvider;
  /** Uses no outside service, and is asked for every row. */
  imported: ParcelProvider;
  report?: (done: number) => void;
  signal?: AbortSignal;
  /** Waits this long, ms. */
  pause: (ms: number) => Promise<void>;
}

const longestAddress = 500;
/** When a provider's rate is used up it is asked again after this pause, at most this many times in a row. */
const pauseMs = 2_000;
const mostPauses = 150;
/** After this many rows in a row without a working provider, no further rows are asked for. */
const mostOutages = 5;
const outages: readonly ErrorCode[] = [
  'provider_not_configured',
  'provider_unreachable',
  'provider_timeout',
  'provider_failed',
  'provider_key_refused',
  'provider_quota_spent',
  'provider_paused',
];

/** Looks up each row. Rejects with the signal's reason when it is aborted. */
export async function lookUpRows({ rows, report, signal, ...asking }: Batch): Promise<ParcelRows> {
  const found: ParcelRow[] = [];
  let outage: { code: ErrorCode; times: number } | undefined;
  for (const row of rows) {
    signal?.throwIfAborted();
    const isHopeless =
      outage !== undefined && (outage.times >= mostOutages || outage.code === 'provider_not_configured');
    const told = await resultOf(row, isHopeless ? { ...asking, refused: outage?.code } : asking);
    const code = outages.find((one) => one === told.code);
    if (code !== undefined) outage = { code, times: (outage?.times ?? 0) + 1 };
    else if (told.status !== 'invalid' && told.parcel?.provider !== 'file') outage = undefined;
    found.push(told);
    report?.(found.length);
  }
  const count = (status: ParcelRow['status']): number => found.filter((row) => row.status === status).length;
  return {
    rows: found,
    counts: { ok: count('ok'), not_found: count('not_found'), invalid: count('invalid'), error: count('error') },
  };
}

type Asking = Pick<Batch, 'provider' | 'imported' | 'pause'> & {
  /** The code with which all outside services are skipped. */
  refused?: ErrorCode | undefined;
};

async function resultOf(row: TableRow, asking: Asking): Promise<ParcelRow> {
  const { line, address, name, geometry } = row;
  const told: Pick<ParcelRow, 'line' | 'address' | 'name' | 'place'> = {
    line,
    address: address.slice(0, longestAddress),
    name: name.slice(0, 200),
  };
  const invalid = (code: string): ParcelRow => ({ ...told, status: 'invalid', code });
  if (geometry !== '') {
    const parcel = parcelOf(geometry, address);
    return parcel === undefined ? invalid('invalid_geometry') : { ...told, status: 'ok', parcel };
  }
  const place = placeOf(row);
  if (place === undefined) return invalid('invalid_place');
  if (place !== null) told.place = place;
  if (place === null && address === '') return invalid('no_address');
  if (address.length > longestAddress) return invalid('too_long');
  // A place is more precise than an address.
  const ask = (provider: ParcelProvider): Promise<FoundParcels> =>
    place === null ? provider.find(address) : provider.at(place);
  try {
    const { refused } = asking;
    const found = await (refused === undefined ? askPatiently(ask, asking) : ask(asking.imported));
    const [parcel] = found.parcels;
    if (parcel !== undefined) return { ...told, status: 'ok', parcel };
    return refused === undefined
      ? { ...told, status: 'not_found', code: 'parcel_not_found' }
      : { ...told, status: 'error', code: refused };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...told, status: 'error', code: error.code };
  }
}

/** null when the row names none, undefined when it is not on Earth. */
function placeOf({ lat, lng }: TableRow): Place | null | undefined {
  if (lat === '' && lng === '') return null;
  const [north, east] = [lat, lng].map((text) => (text === '' ? NaN : Number(text.replace(',', '.')))) as [
    number,
    number,
  ]; // of two
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { lat: north, lng: east } : undefined;
}

async function askPatiently(
  ask: (provider: ParcelProvider) => Promise<FoundParcels>,
  { provider, pause }: Pick<Batch, 'provider' | 'pause'>,
): Promise<FoundParcels> {
  for (let pauses = 0; pauses < mostPauses; pauses += 1) {
    try {
      return await ask(provider());
    } catch (error) {
      if (!isRefusal(error) || error.code !== 'provider_paused') throw error;
      await pause(pauseMs);
    }
  }
  throw new Refusal('provider_paused', 'it may not be asked for a long time');
}

/** The outline in a row; undefined when it is not valid. */
function parcelOf(text: string, address: string): Parcel | undefined {
  const sent = geometryOf(text);
  if (sent === undefined) return undefined;
  const checked = checkGeometry(sent, 'site');
  if (isFault(checked)) return undefined;
  const { geometry } = checked;
  return { address, parcel_id: '', geometry, area_m2: groundArea_m2(geometry) ?? 0, provider: 'file', attribution: '' };
}

function geometryOf(text: string): { type: string; coordinates: unknown } | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || !('type' in read) || !('coordinates' in read)) return undefined;
    return typeof read.type === 'string' ? { type: read.type, coordinates: read.coordinates } : undefined;
  } catch {
    return undefined;
  }
}

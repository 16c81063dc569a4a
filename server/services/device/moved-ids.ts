import { ownMeasurementId } from '../../contract/measured.ts';
import { secretSet } from '../../contract/secret.ts';

/** New ids by the ids of a file. Ids are in lower case. */
export type Renamed = Map<string, string>;

interface Ways<Entry> {
  /** Ids by which others can refer to it. */
  provides: (entry: Entry) => readonly string[];
  mentions: (entry: Entry) => readonly string[];
}

/** Maximum series that a controller stores of itself. */
const mostOwnChannels = 64;

/** Sorts entries after those that they refer to. Two that refer to each other keep their order. */
export function inOrder<Entry>(entries: readonly Entry[], { provides, mentions }: Ways<Entry>): Entry[] {
  const providers = new Map(entries.flatMap((entry) => provides(entry).map((id) => [id, entry] as const)));
  const needed = new Map(entries.map((entry) => [entry, othersNamed(entry, mentions(entry), providers)]));
  const left = new Set(entries);
  const ordered: Entry[] = [];
  while (left.size > 0) {
    const free = [...left].filter((entry) => needed.get(entry)?.some((one) => left.has(one)) !== true);
    for (const entry of free.length > 0 ? free : left) {
      ordered.push(entry);
      left.delete(entry);
    }
  }
  return ordered;
}

function othersNamed<Entry>(entry: Entry, ids: readonly string[], providers: ReadonlyMap<string, Entry>): Entry[] {
  return ids.flatMap((id) => {
    const other = providers.get(id);
    return other === undefined || other === entry ? [] : [other];
  });
}

/** Each id that appears in it, once and in lower case. */
export function idsIn(value: object): string[] {
  const found = JSON.stringify(value).toLowerCase().match(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g); // prettier-ignore
  return [...new Set(found)];
}

export function withIds(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return renamed.get(value.toLowerCase()) ?? value;
  if (Array.isArray(value)) return value.map((one) => withIds(one, renamed));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withIds(one, renamed)]));
}

/** Records the new ids of a thing and of what it measures. */
export function noteIds(from: { unique_id: string }, made: { unique_id: string }, renamed: Renamed): void {
  renamed.set(from.unique_id, made.unique_id);
  for (let channel = 0; channel < mostOwnChannels; channel += 1) {
    renamed.set(ownMeasurementId(from.unique_id, channel), ownMeasurementId(made.unique_id, channel));
  }
  const here = measuredChannels(made);
  for (const [channel, id] of measuredChannels(from)) {
    const own = here.get(channel);
    if (own !== undefined) renamed.set(id, own);
  }
}

/** Ids of an input's measurements, by channel. */
export function measuredChannels(settings: object): Map<number, string> {
  const channels = 'channels' in settings && Array.isArray(settings.channels) ? (settings.channels as unknown[]) : [];
  return new Map(
    channels.flatMap((one) =>
      isObject(one) && typeof one['channel'] === 'number' && typeof one['measurement_id'] === 'string'
        ? [[one['channel'], one['measurement_id'].toLowerCase()] as const]
        : [],
    ),
  );
}

/** Leaves out secrets: they are shown only as set, and cannot be sent that way. */
export function withoutSecrets(whole: object): { value: Record<string, unknown>; paths: string[] } {
  const paths: string[] = [];
  const pruned = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((one, at) => pruned(one, `${path}.${at}`));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) => {
        const at = path === '' ? key : `${path}.${key}`;
        if (!secretSet.safeParse(one).success) return [[key, pruned(one, at)]];
        paths.push(at);
        return [];
      }),
    );
  };
  return { value: pruned(whole, '') as Record<string, unknown>, paths };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

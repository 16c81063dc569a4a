import { alarmEndpoints } from '../../server/contract/alarm.ts';
import { authEndpoints } from '../../server/contract/auth.ts';
import { designEndpoints } from '../../server/contract/design.ts';
import { deviceEndpoints } from '../../server/contract/device.ts';
import type { Endpoint } from '../../server/contract/endpoint.ts';
import { facilityEndpoints } from '../../server/contract/facility-endpoints.ts';
import { safetyEndpoints } from '../../server/contract/safety.ts';
import { settingEndpoints } from '../../server/contract/setting.ts';

/** What the frame, the overview and a house load: enough to show the site as it last was. */
const kept: ReadonlySet<Pick<Endpoint, 'path'>> = new Set([
  authEndpoints.state,
  authEndpoints.session,
  settingEndpoints.get,
  deviceEndpoints.devices,
  alarmEndpoints.list,
  safetyEndpoints.getEmergencyStop,
  designEndpoints.list,
  facilityEndpoints.list,
  facilityEndpoints.get,
  facilityEndpoints.runtime,
]);
const family = 'last-answers';
/** The hash in a built file's address changes with its content: no build reads what another one stored. */
const cacheName = `${family}-${import.meta.url}`;
const longestMs = 7 * 86_400_000;
/** Writes an address at most this often: tablets store it in flash memory. */
const restMs = 30_000;
const stampHeader = 'X-Answered-At';

export interface LastAnswer {
  body: unknown;
  at_ms: number;
}

/** Answers stored between visits; a browser without a cache stores none. */
export interface LastAnswers {
  /**
   * Counts how often the store was emptied. An answer is stored only if this still equals its value at asking,
   * `askedIn`.
   */
  generation(): number;
  keep(endpoint: Pick<Endpoint, 'path'>, address: string, body: unknown, askedIn: number): Promise<void>;
  /** The last answer; null when there is none or it is too old. */
  recall(endpoint: Pick<Endpoint, 'path'>, address: string): Promise<LastAnswer | null>;
  drop(address: string): Promise<void>;
  forget(): Promise<void>;
}

/** Uses the cache of this origin. Omits the token that commands need. A full disk stores nothing and is no error. */
export function lastAnswers(storage: CacheStorage | undefined, now: () => number): LastAnswers {
  const quietly = async <Value>(work: () => Promise<Value>, without: Value): Promise<Value> => {
    try {
      return await work();
    } catch {
      return without;
    }
  };
  const writtenAt = new Map<string, number>();
  let generation = 0;
  const dropCaches = async (isDropped: (name: string) => boolean): Promise<void> => {
    if (storage === undefined) return;
    const names = (await storage.keys()).filter((name) => name.startsWith(family) && isDropped(name));
    await Promise.all(names.map((name) => storage.delete(name)));
  };
  void quietly(() => dropCaches((name) => name !== cacheName), undefined);
  return {
    generation: () => generation,
    keep: (endpoint, address, body, askedIn) =>
      quietly(async () => {
        if (!kept.has(endpoint) || storage === undefined || askedIn !== generation) return;
        if (now() - (writtenAt.get(address) ?? 0) < restMs) return;
        writtenAt.set(address, now());
        const safe = endpoint === authEndpoints.session ? { ...(body as object), csrf_token: null } : body;
        const answer = Response.json(safe, { headers: { [stampHeader]: String(now()) } });
        const cache = await storage.open(cacheName);
        if (askedIn === generation) await cache.put(address, answer);
      }, undefined),
    recall: (endpoint, address) =>
      quietly(async () => {
        if (!kept.has(endpoint)) return null;
        const answer = await (await storage?.open(cacheName))?.match(address);
        const atMs = Number(answer?.headers.get(stampHeader) ?? Number.NaN);
        return answer !== undefined && now() - atMs <= longestMs
          ? { body: (await answer.json()) as unknown, at_ms: atMs }
          : null;
      }, null),
    drop: (address) =>
      quietly(async () => {
        writtenAt.delete(address);
        await (await storage?.open(cacheName))?.delete(address);
      }, undefined),
    forget: () =>
      quietly(async () => {
        generation += 1;
        writtenAt.clear();
        await dropCaches(() => true);
      }, undefined),
  };
}

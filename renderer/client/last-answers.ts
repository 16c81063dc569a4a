import { alarmEndpoints } from '../../server/contract/alarm.ts';
import { authEndpoints } from '../../server/contract/auth.ts';
import { designEndpoints } from '../../server/contract/design.ts';
import { deviceEndpoints } from '../../server/contract/device.ts';
import type { Endpoint } from '../../server/contract/endpoint.ts';
import { facilityEndpoints } from '../../server/contract/facility-endpoints.ts';
import { safetyEndpoints } from '../../server/contract/safety.ts';
import { settingEndpoints } from '../../server/contract/setting.ts';

/** What the frame, the overview and a house read: enough to show the site as it was. */
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
const cacheName = 'last-answers';
const longest_ms = 7 * 86_400_000;
/** No address is written more often: tablets keep this in flash memory. */
const rest_ms = 30_000;
const stampHeader = 'X-Answered-At';

interface LastAnswer {
  body: unknown;
  at_ms: number;
}

/** Where answers are kept between visits; in a browser that has none, nowhere. */
export interface LastAnswers {
  keep(endpoint: Pick<Endpoint, 'path'>, address: string, body: unknown): Promise<void>;
  /** null where none is known, or none that is of use any more. */
  recall(endpoint: Pick<Endpoint, 'path'>, address: string): Promise<LastAnswer | null>;
  forget(): Promise<void>;
}

/** In the cache of this origin. The token that commands need is not kept. A full disk keeps nothing, and is no error. */
export function lastAnswers(storage: CacheStorage | undefined, now: () => number): LastAnswers {
  const quietly = async <Value>(work: () => Promise<Value>, without: Value): Promise<Value> => {
    try {
      return await work();
    } catch {
      return without;
    }
  };
  const writtenAt = new Map<string, number>();
  return {
    keep: (endpoint, address, body) =>
      quietly(async () => {
        if (!kept.has(endpoint) || storage === undefined) return;
        if (now() - (writtenAt.get(address) ?? 0) < rest_ms) return;
        writtenAt.set(address, now());
        const safe = endpoint === authEndpoints.session ? { ...(body as object), csrf_token: null } : body;
        const answer = Response.json(safe, { headers: { [stampHeader]: String(now()) } });
        await (await storage.open(cacheName)).put(address, answer);
      }, undefined),
    recall: (endpoint, address) =>
      quietly(async () => {
        if (!kept.has(endpoint)) return null;
        const answer = await (await storage?.open(cacheName))?.match(address);
        const at_ms = Number(answer?.headers.get(stampHeader) ?? Number.NaN);
        return answer !== undefined && now() - at_ms <= longest_ms ? { body: await answer.json(), at_ms } : null;
      }, null),
    forget: () =>
      quietly(async () => {
        writtenAt.clear();
        await storage?.delete(cacheName);
      }, undefined),
  };
}

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { FeatureCollection, SaveResult } from '../../../server/contract/overlay.ts';
import { drawn } from '../../support/maps.ts';
import { testWholeApi, type WholeApi } from '../../support/whole-api.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
const featureCount = isLong ? 100_000 : 3_000;
const savesEach = isLong ? 20 : 12;

interface Accepted {
  revision: number;
  ids: readonly string[];
  name: string;
}

/** One of two people who draw on a map at the same time; each saves by the revision that he was last shown. */
class Client {
  readonly #api: WholeApi;
  readonly #mapId: string;
  readonly #name: string;
  revision: number;
  readonly accepted: Accepted[] = [];
  conflicts = 0;

  constructor(api: WholeApi, options: { mapId: string; name: string; revision: number }) {
    this.#api = api;
    this.#mapId = options.mapId;
    this.#name = options.name;
    this.revision = options.revision;
  }

  /** Renames features; where another was first, looks at what changed and tries again. */
  async rename(ids: readonly string[], turn: number): Promise<void> {
    const name = `${this.#name} ${turn}`;
    const modified = ids.map((id, index) => point(id, name, index));
    const body = { geo_id: this.#mapId, modified, revision: this.revision, save_id: randomUUID() };
    const answer = await this.#api.request('POST', '/api/geo/overlays/delta', { body });
    if (answer.status === 409) {
      const conflict = answer.body as Conflict; // asserted here
      expect(conflict).toMatchObject({ code: 'revision_conflict' });
      expect(conflict.changed.map(({ unique_id }) => unique_id).some((id) => ids.includes(id))).toBe(true);
      this.conflicts += 1;
      this.revision = conflict.revision;
      return this.rename(ids, turn);
    }
    expect(answer.status).toBe(200);
    const { revision } = answer.body as SaveResult; // checked by the API
    this.accepted.push({ revision, ids, name });
  }
}

interface Conflict {
  code: string;
  revision: number;
  changed: { unique_id: string }[];
}

function point(id: string, name: string, index: number) {
  const coordinates = [127 + (index % 1000) / 1e4, 37 + Math.floor(index / 1000) / 1e4];
  return drawn({ type: 'equipment', id, geometry: { type: 'Point', coordinates }, name });
}

it(
  `two clients on a map of ${featureCount} features lose nothing of each other's work`,
  async () => {
    const api = await testWholeApi();
    const view = { name: 'Farm', lat: 37, lng: 127, zoom: 18 };
    const { map_uuid: geo_id } = (await api.request('POST', '/api/geo/designs', { body: view })).body as {
      map_uuid: string;
    }; // checked by the API
    const ids = Array.from({ length: featureCount }, () => randomUUID());
    const features = ids.map((id, index) => point(id, 'first', index));
    const first = await api.request('POST', '/api/geo/overlays', { body: { geo_id, features } });
    expect(first).toMatchObject({ status: 200, body: { revision: 1, added: featureCount } });

    const clients = ['ann', 'bob'].map((name) => new Client(api, { mapId: geo_id, name, revision: 1 }));
    const stale = { geo_id, features: features.slice(1), revision: 1 };
    const busy = clients.map(async (client, at) => {
      for (let turn = 0; turn < savesEach; turn += 1) {
        // A hundred of one's own, and ten that the other renames as well.
        const own = ids.slice(1000 * at + 10 + turn * 20, 1000 * at + 110 + turn * 20);
        await client.rename([...ids.slice(0, 10), ...own], turn);
      }
    });
    await Promise.all(busy);
    const late = await api.request('POST', '/api/geo/overlays', { body: stale });
    expect(late).toMatchObject({ status: 409, body: { code: 'revision_conflict' } });

    const read = await api.request('GET', `/api/geo/overlays?geo_id=${geo_id}`);
    const map = read.body as FeatureCollection; // checked by the API
    const saves = clients.flatMap(({ accepted }) => accepted).sort((one, other) => one.revision - other.revision);
    expect(saves.map(({ revision }) => revision)).toEqual(saves.map((_, index) => index + 2));
    expect(clients.reduce((sum, { conflicts }) => sum + conflicts, 0)).toBeGreaterThan(0);
    const names = new Map<string, string>(ids.map((id) => [id, 'first']));
    for (const { ids: renamed, name } of saves) for (const id of renamed) names.set(id, name);
    expect(new Map(map.features.map(({ properties }) => [properties.unique_id, properties.name]))).toEqual(names);
  },
  isLong ? 300_000 : 30_000,
);

import { errorStatus, type ErrorCode } from '../../server/contract/errors.ts';
import type { Feature, OverlayDelta, SaveResult } from '../../server/contract/overlay.ts';
import { checkGeometry, isFault } from '../../server/domain/geometry/feature-geometry.ts';

/** What becomes of a call: `lost` is done and not answered, `away` never arrives. */
export type Fate = 'answered' | 'lost' | 'away' | 'busy';

interface Stored {
  /** null once it is deleted. */
  feature: Feature | null;
  revision: number;
}

const at = '2026-03-01T06:00:00.000Z';

/** Maps as the service has them, for a page in a test: its conflicts, refusals and repeats, and calls that fail. */
export class FakeMapServer {
  readonly map_uuid = '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a10';
  readonly fetch: typeof fetch = (address, options) =>
    this.#answer(typeof address === 'string' ? address : '', options);
  /** Of the next calls; all later ones are answered. */
  fates: Fate[] = [];
  revision = 1;
  /** Shapes that the page changed without having read what another had made of them. */
  readonly overwritten: string[] = [];
  readonly #stored = new Map<string, Stored>();
  /** The revision of each shape that the page has read. */
  readonly #seen = new Map<string, number>();
  readonly #answers = new Map<string, SaveResult>();

  get features(): Feature[] {
    return [...this.#stored.values()].flatMap(({ feature }) => feature ?? []);
  }

  /** Another user saves. */
  change(id: string, feature: Feature | null): void {
    if (feature === null && this.#stored.get(id)?.feature == null) return;
    this.revision += 1;
    this.#stored.set(id, { feature, revision: this.revision });
  }

  async #answer(address: string, options: RequestInit | undefined): Promise<Response> {
    const fate = this.fates.shift() ?? 'answered';
    if (fate === 'away') throw new TypeError('Failed to fetch');
    if (fate === 'busy') return refusal('storage_busy');
    const body = typeof options?.body === 'string' ? (JSON.parse(options.body) as OverlayDelta) : null; // as the page writes it
    const answer = body === null ? this.#read(new URL(address, 'http://farm'), fate) : this.#save(body);
    if (fate === 'lost') throw new TypeError('Failed to fetch');
    return answer;
  }

  #read({ pathname, searchParams }: URL, fate: Fate): Response {
    const { map_uuid, revision } = this;
    const since = Number(searchParams.get('since') ?? -1);
    const changed = [...this.#stored].filter(([, one]) => one.revision > since);
    if (fate === 'answered') for (const [id, one] of changed) this.#seen.set(id, one.revision);
    const features = changed.flatMap(([, { feature }]) => feature ?? []);
    if (pathname.endsWith('/changes')) {
      const deleted = changed.flatMap(([id, { feature }]) => (feature === null ? [id] : []));
      return Response.json({ map_uuid, revision, read_whole: false, features, deleted });
    }
    const collection = { type: 'FeatureCollection', map_uuid, revision, features };
    if (pathname === '/api/geo/overlays') return Response.json(collection);
    const place = { name: 'Farm', lat: 0, lng: 0, zoom: 18, layers: {}, created_at: at, updated_at: at };
    return Response.json({ map_uuid, ...place, revision, features: collection });
  }

  #save({ added = [], modified = [], deleted = [], revision = this.revision, save_id = '' }: OverlayDelta): Response {
    const repeated = this.#answers.get(save_id);
    if (repeated !== undefined) return Response.json(repeated);
    const put = [...added, ...modified] as Feature[]; // with ids, as the page sends them
    const unsound = put.find(({ geometry, properties }) => isFault(checkGeometry(geometry, properties.type)));
    if (unsound !== undefined) return refusal('invalid_geometry');
    const ids = [...put.map(({ properties }) => properties.unique_id), ...deleted];
    if (ids.some((id) => (this.#stored.get(id)?.revision ?? 0) > revision)) return refusal('revision_conflict');
    if (added.some(({ properties }) => this.#stored.get(properties.unique_id ?? '')?.feature != null))
      return refusal('duplicate_feature');
    this.revision += 1;
    for (const id of ids) {
      const { revision: last = 0 } = this.#stored.get(id) ?? {};
      if ((this.#seen.get(id) ?? 0) !== last) this.overwritten.push(id);
      const feature = put.find(({ properties }) => properties.unique_id === id) ?? null;
      this.#stored.set(id, { feature, revision: this.revision });
      this.#seen.set(id, this.revision);
    }
    const result = { map_uuid: this.map_uuid, revision: this.revision, added: added.length, modified: modified.length };
    const answer = { ...result, deleted: deleted.length, unchanged: 0, features: ids, warnings: [] };
    this.#answers.set(save_id, answer);
    return Response.json(answer);
  }
}

function refusal(code: ErrorCode): Response {
  const status = errorStatus[code];
  return Response.json({ type: 'about:blank', title: code, status, code, detail: code, request_id: 'r' }, { status });
}

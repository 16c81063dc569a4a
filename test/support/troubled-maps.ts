import { errorStatus, isRefusal, type Refusal } from '../../server/contract/errors.ts';
import { overlayDelta, type Feature, type OverlayDelta } from '../../server/contract/overlay.ts';
import { ann, bob, type TestMaps } from './maps.ts';

/** What becomes of a call: `lost` is done and not answered, `away` never arrives. */
export type Fate = 'answered' | 'lost' | 'away' | 'busy';

/** The real maps behind a network that loses calls, for a page in a test. */
export class TroubledMaps {
  readonly map_uuid: string;
  readonly fetch: typeof fetch = (address, options) =>
    this.#answer(typeof address === 'string' ? address : '', options);
  /** Of the next calls; all later ones are answered. */
  fates: Fate[] = [];
  /** Shapes that the page changed without having read what another had made of them. */
  readonly overwritten: string[] = [];
  /** How often the page read the whole map. */
  wholes = 0;
  readonly #maps: TestMaps;
  /** The revision of the last change of each shape, and of the last one that the page has read. */
  readonly #changed = new Map<string, number>();
  readonly #seen = new Map<string, number>();

  /** A map of its own. */
  static async begin(maps: TestMaps): Promise<TroubledMaps> {
    return new TroubledMaps(maps, await maps.add());
  }

  private constructor(maps: TestMaps, map_uuid: string) {
    this.#maps = maps;
    this.map_uuid = map_uuid;
  }

  async features(): Promise<Feature[]> {
    return (await this.#maps.read(this.map_uuid)).features;
  }

  /** Another user saves. */
  async change(delta: Omit<OverlayDelta, 'geo_id'>): Promise<void> {
    await this.#save({ ...delta, geo_id: this.map_uuid }, bob);
  }

  /** Another user gives the map another name, which is told by no change of a shape. */
  async rename(): Promise<void> {
    await this.#maps.designs.save({ map_uuid: this.map_uuid, name: crypto.randomUUID() }, bob);
  }

  async #answer(address: string, options: RequestInit | undefined): Promise<Response> {
    const fate = this.fates.shift() ?? 'answered';
    if (fate === 'away') throw new TypeError('Failed to fetch');
    if (fate === 'busy') return problem('storage_busy');
    const body = options?.body;
    const answer =
      typeof body === 'string'
        ? this.#saved(overlayDelta.parse(JSON.parse(body)))
        : this.#read(new URL(address, 'http://farm'), fate);
    const response = await answer.then(
      (json) => new Response(json, { headers: { 'content-type': 'application/json' } }),
      (error: unknown) => {
        if (!isRefusal(error)) throw error;
        return problem(error.code);
      },
    );
    if (fate === 'lost') throw new TypeError('Failed to fetch');
    return response;
  }

  async #read({ pathname, searchParams }: URL, fate: Fate): Promise<string> {
    const { overlays, designs } = this.#maps;
    const geo_id = this.map_uuid;
    const since = Number(searchParams.get('since') ?? -1);
    const isWhole = !pathname.endsWith('/changes');
    const json = await (isWhole ? designs.get(geo_id) : overlays.changes({ geo_id, since }));
    const text = json.toString();
    if (isWhole) this.wholes += 1;
    if (fate === 'answered')
      for (const [id, revision] of this.#changed) if (revision > since) this.#seen.set(id, revision);
    return text;
  }

  async #saved(delta: OverlayDelta): Promise<string> {
    const before = new Map(this.#changed);
    const result = await this.#save(delta, ann);
    for (const id of idsOf(delta)) {
      // A repeat of a save changes nothing.
      const isNew = this.#changed.get(id) !== before.get(id);
      if (isNew && this.#seen.get(id) !== before.get(id)) this.overwritten.push(id);
      if (isNew) this.#seen.set(id, result.revision);
    }
    return JSON.stringify(result);
  }

  async #save(delta: OverlayDelta, by: typeof ann) {
    const result = await this.#maps.overlays.saveDelta(delta, by);
    for (const id of idsOf(delta)) this.#changed.set(id, Math.max(this.#changed.get(id) ?? 0, result.revision));
    return result;
  }
}

function idsOf({ added = [], modified = [], deleted = [] }: OverlayDelta): string[] {
  return [...[...added, ...modified].flatMap(({ properties }) => properties.unique_id ?? []), ...deleted];
}

function problem(code: Refusal['code']): Response {
  const status = errorStatus[code];
  return Response.json({ type: 'about:blank', title: code, status, code, detail: code, request_id: 'r' }, { status });
}

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { Actor } from '../../../../server/auth/actor.ts';
import { isRefusal } from '../../../../server/contract/errors.ts';
import type { Database } from '../../../../server/db/open.ts';
import { PlacementRepository } from '../../../../server/db/repositories/placement.ts';
import { transactor } from '../../../../server/db/transaction.ts';
import {
  overlayChanges,
  type OverlayDelta,
  type OverlaySave,
  type SaveResult,
} from '../../../../server/contract/overlay.ts';
import { tidyMaps } from '../../../../server/services/map/staged.ts';
import type { Slices } from '../../../../server/services/map/slices.ts';
import { mapStore, type MapStore } from '../../../../server/services/map/store.ts';
import { mapTasks } from '../../../../server/services/map/tasks.ts';
import { testDatabase } from '../../../support/database.ts';
import { ann, bob, drawn } from '../../../support/maps.ts';

type Drawn = ReturnType<typeof drawn>;

/** Features by id. */
type State = ReadonlyMap<string, Drawn>;

type Sent = { kind: 'saveFull'; body: OverlaySave } | { kind: 'saveDelta'; body: OverlayDelta };

/** What one person has on the screen, and the revision that it is based on. */
interface Client {
  actor: Actor;
  view: State;
  revision: number;
  last: { sent: Sent; answer: SaveResult } | null;
}

interface World {
  store: MapStore;
  geo_id: string;
  clients: [Client, Client];
  /** The map after each revision. */
  states: State[];
}

interface Step {
  who: 0 | 1;
  kind: 'read' | 'full' | 'blind full' | 'delta' | 'blind delta' | 'repeat' | 'restore';
  add: number;
  modify: number;
  drop: number;
  back: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom(0, 1),
  kind: fc.constantFrom('read', 'full', 'blind full', 'delta', 'blind delta', 'repeat', 'restore'),
  add: fc.nat(2),
  modify: fc.nat(3),
  drop: fc.nat(3),
  back: fc.nat(5),
});

const refusals = ['revision_conflict', 'not_found', 'duplicate_feature', 'empty_save_refused'];

/** Every change is a large one, each feature a transaction of its own. */
const slicing = (db: Database, turn: () => void = () => undefined): Slices => ({
  least: 0,
  length_ms: 0,
  turn: (work) => {
    turn();
    return transactor(db)(work);
  },
});

it.each([
  ['in one transaction', () => undefined],
  ['a feature at a time', slicing],
])(
  'no sequence of saves, conflicts, repeats and restores of two clients loses or renames what nobody deleted: %s',
  (_name, slices) => {
    const db = testDatabase('orangery');
    db.pragma('synchronous = OFF'); // thousands of commits that no power cut matters to
    const store = mapStore(db, slices(db));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        const world = newWorld(store);
        for (const one of steps) take(world, one);
        tidyMaps(store);
        expectTidy(world);
      }),
      { numRuns: process.env['TEST_SCALE'] === 'long' ? 3000 : 60 },
    );
  },
);

it('a large save that dies between any two of its transactions leaves the map as it was, and the next one finds nothing of it', () => {
  const db = testDatabase('orangery');
  db.pragma('synchronous = OFF');
  let left = Infinity;
  const dying = mapStore(
    db,
    slicing(db, () => {
      if ((left -= 1) < 0) throw new Error('it died');
    }),
  );
  const world = newWorld(dying);
  const author = { user_id: ann.user_id, username: null, at: new Date().toISOString() };
  const saving = { author, devices: new Map() };
  const first = [drawn(), drawn(), drawn()];
  mapTasks.saveFull(dying, { geo_id: world.geo_id, features: first }, saving);
  let deaths = 0;
  for (let turns = 0; ; turns += 1) {
    const before = stored(world);
    const [one, two] = [...before.state.values()];
    const changed = [{ ...one, properties: { ...one?.properties, name: String(turns) } }, two, drawn()] as Drawn[]; // there are three
    left = turns;
    try {
      mapTasks.saveFull(dying, { geo_id: world.geo_id, features: changed, revision: before.revision }, saving);
      expect(stored(world).revision).toBe(before.revision + 1);
      break;
    } catch (error) {
      expect(String(error)).toContain('it died');
      deaths += 1;
    }
    expect(stored(world)).toEqual(before);
    expect(JSON.parse(mapTasks.readRevision(dying, { mapId: world.geo_id, revision: 0 }).toString())).toMatchObject({
      features: { features: [] },
    });
    left = Infinity;
    tidyMaps(dying);
    expect(stored(world)).toEqual(before);
    expectTidy(world);
    db.exec('UPDATE designs SET feature_count = 0');
    tidyMaps(dying);
    expectTidy(world);
  }
  expect(deaths).toBeGreaterThan(4);
});

it('what is taken away of a save stays where the save was carried through after all', () => {
  const db = testDatabase('orangery');
  let before = (): void => undefined;
  const store = mapStore(
    db,
    slicing(db, () => before()),
  );
  const world = newWorld(store);
  const saving = { author: { user_id: null, username: null, at: new Date().toISOString() }, devices: new Map() };
  mapTasks.saveFull(store, { geo_id: world.geo_id, features: [drawn(), drawn()] }, saving);
  const saved = stored(world);
  const setRevision = (revision: number): void =>
    store.designs.advance(world.geo_id, { ...saving.author, revision, more: 0 });
  setRevision(0); // as while that save was written
  let turns = 0;
  before = () => {
    if ((turns += 1) === 1) setRevision(1);
  };
  tidyMaps(store);
  expect(turns).toBeGreaterThan(0);
  expect(stored(world)).toEqual(saved);
});

it('a large save comes to its turn whoever saves small things on the map between its tries', () => {
  const db = testDatabase('orangery');
  const small = mapStore(db);
  let tries = 0;
  const saving = { author: { user_id: null, username: null, at: new Date().toISOString() }, devices: new Map() };
  const store = mapStore(
    db,
    slicing(db, () => {
      if (small.history.pending().length > 0) return;
      if ((tries += 1) > 20) throw new Error('it never comes to its turn');
      mapTasks.saveDelta(small, { geo_id, added: [drawn()] }, saving);
    }),
  );
  const { geo_id } = newWorld(store);
  expect(mapTasks.saveDelta(store, { geo_id, added: [drawn(), drawn()] }, saving)).toMatchObject({ added: 2 });
});

it('devices stand in the order of drawing, and one that comes with a save under way is in use', () => {
  const db = testDatabase('orangery');
  const placements = new PlacementRepository(db);
  const [one, two, coming] = [randomUUID(), randomUUID(), randomUUID()];
  const inUse: boolean[] = [];
  const store = mapStore(
    db,
    slicing(db, () => inUse.push(placements.usersOf(coming).length > 0)),
  );
  const { geo_id } = newWorld(store);
  const author = { user_id: null, username: null, at: new Date().toISOString() };
  const saving = { author, devices: new Map([one, two, coming].map((id) => [id, [0]])) };
  const at = (device_id: string) =>
    drawn({ type: 'device', device_id, geometry: { type: 'Point', coordinates: [1, 1] } });
  const [first, second] = [at(one), at(two)];
  mapTasks.saveFull(store, { geo_id, features: [first, second] }, saving);
  const moved = { ...first, geometry: { type: 'Point' as const, coordinates: [2, 2] } };
  mapTasks.saveDelta(store, { geo_id, modified: [moved], added: [at(coming)] }, saving);
  expect(placements.placements(geo_id).map(({ device_id }) => device_id)).toEqual([one, two, coming]);
  expect(inUse.at(-1)).toBe(true); // before the turn that gives the map its revision
  expect(placements.usersOf(one)).toHaveLength(1);
});

it('what is asked for by id or by box is not looked for on the whole map', () => {
  const db = testDatabase('orangery');
  const prepared = vi.spyOn(db, 'prepare');
  const store = mapStore(db);
  mapTasks.readAllOverlays(store, { bbox: '0,0,1,1' });
  store.overlays.geoJsonOfMap('', { bbox: { west: 0, south: 0, east: 1, north: 1 } });
  const planOf = (part: RegExp) => {
    const sql = prepared.mock.calls.map(([text]) => text).find((text) => part.test(text));
    const plan = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql?.replaceAll(/\?|@\w+/g, 'NULL')}`);
    return plan.all().map(({ detail }) => detail).join(); // prettier-ignore
  };
  expect(planOf(/SET replaced_revision = NULL/)).toContain('features_by_unique_id (unique_id=?)');
  for (const part of [/LIMIT @limit/, /= @mapId/])
    expect(planOf(part)).toContain('SEARCH features USING INTEGER PRIMARY KEY');
});

/** Nothing is stored beside what is on the map, and it is counted. */
function expectTidy(world: World): void {
  const { store, geo_id } = world;
  const { state } = stored(world);
  const { size } = state;
  for (const [revision, view] of world.states.entries()) expect(followed(world, { view, revision })).toEqual(state);
  const count = (sql: string): unknown => store.db.prepare(sql).pluck().get(geo_id);
  expect(count('SELECT count(*) FROM features WHERE map_uuid = ?')).toBe(size);
  expect(count('SELECT feature_count FROM designs WHERE map_uuid = ?')).toBe(size);
  expect(
    count(
      'SELECT count(*) FROM map_history JOIN designs USING (map_uuid) WHERE map_uuid = ? AND map_history.revision > designs.revision',
    ),
  ).toBe(0);
  expect(
    count('SELECT count(*) FROM feature_rtree WHERE id NOT IN (SELECT id FROM features WHERE ? IS NOT NULL)'),
  ).toBe(0);
}

function newWorld(store: MapStore): World {
  const geo_id = randomUUID();
  const at = '2026-03-01T06:00:00.000Z';
  store.designs.insert(geo_id, { name: 'Farm', lat: 0, lng: 0, zoom: 1, layers: {} }, { at, isSaved: true });
  const client = (actor: Actor): Client => ({ actor, view: new Map(), revision: 0, last: null });
  return { store, geo_id, clients: [client(ann), client(bob)], states: [new Map()] };
}

function take(world: World, step: Step): void {
  const client = world.clients[step.who];
  if (step.kind === 'read') refresh(world, client);
  else if (step.kind === 'repeat') repeat(world, client);
  else if (step.kind === 'restore') restore(world, client, step.back);
  else save(world, client, step);
}

/** Reads the stored map; its ids and types must be those of the model. */
function stored({ store, geo_id }: Pick<World, 'store' | 'geo_id'>): { revision: number; state: State } {
  // Written by the service, whose answers other tests hold to the contract.
  const { revision, features } = JSON.parse(mapTasks.readOverlays(store, { geo_id }).toString()) as {
    revision: number;
    features: Drawn[];
  };
  return { revision, state: new Map(features.map((feature) => [feature.properties.unique_id, feature])) };
}

/** What somebody has who takes over the changes since a revision. */
function followed({ store, geo_id }: World, { view, revision }: Pick<Client, 'view' | 'revision'>): State {
  const read = overlayChanges.parse(
    JSON.parse(mapTasks.readChanges(store, { geo_id, since: revision, design: true }).toString()),
  );
  expect(read.read_whole).toBe(false);
  const next = new Map(view);
  for (const one of read.features) next.set(one.properties.unique_id, one);
  for (const id of read.deleted) next.delete(id);
  return next;
}

function refresh(world: World, client: Client): void {
  const { revision, state } = stored(world);
  expect(followed(world, client)).toEqual(state);
  client.view = state;
  client.revision = revision;
}

function save(world: World, client: Client, step: Step): void {
  const before = stored(world);
  const edited = edit(client.view, step);
  const sent = requestOf(world, { client, edited, step });
  const { actor } = client;
  const author = { user_id: actor.user_id, username: actor.username, at: new Date().toISOString() };
  try {
    const answer = send(world.store, sent, { author, devices: new Map() });
    client.last = { sent, answer };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    expect(refusals).toContain(error.code);
    expect(stored(world)).toEqual(before);
    return;
  }
  const after = stored(world);
  const lost = [...before.state.keys()].filter((id) => !after.state.has(id));
  for (const id of lost) expect(edited.dropped, 'only what this client deleted is gone').toContain(id);
  if (sent.body.revision !== undefined) expectSeen(before.state, client.view, edited);
  expect(after.state).toEqual(sent.kind === 'saveFull' ? edited.view : merged(before.state, edited));
  expect(after.revision).toBe(before.revision + Number(!isEqual(before.state, after.state)));
  world.states[after.revision] = after.state;
  refresh(world, client);
}

/** Who says what he saw overwrites nothing else. */
function expectSeen(before: State, seen: State, { modified, dropped }: Edited): void {
  for (const id of [...modified.map((one) => one.properties.unique_id), ...dropped]) {
    expect(before.get(id)).toEqual(seen.get(id));
  }
}

interface Edited {
  view: Map<string, Drawn>;
  added: Drawn[];
  modified: Drawn[];
  dropped: string[];
}

function edit(view: State, { add, modify, drop }: Step): Edited {
  const known = [...view.values()];
  const modified = known
    .slice(0, modify)
    .map((one) => ({ ...one, properties: { ...one.properties, name: randomUUID() } }));
  const dropped = known.slice(modify, modify + drop).map((one) => one.properties.unique_id);
  const added = Array.from({ length: add }, () => drawn());
  const next = new Map(view);
  for (const one of [...modified, ...added]) next.set(one.properties.unique_id, one);
  for (const id of dropped) next.delete(id);
  return { view: next, added, modified, dropped };
}

function requestOf({ geo_id }: World, { client, edited, step }: { client: Client; edited: Edited; step: Step }): Sent {
  const based = step.kind.startsWith('blind') ? {} : { revision: client.revision };
  const save_id = randomUUID();
  if (step.kind.endsWith('full')) {
    const features = [...edited.view.values()];
    return { kind: 'saveFull', body: { geo_id, features, save_id, allow_empty: step.back > 0, ...based } };
  }
  const { added, modified, dropped: deleted } = edited;
  return { kind: 'saveDelta', body: { geo_id, added, modified, deleted, save_id, ...based } };
}

function send(store: MapStore, sent: Sent, saving: Parameters<typeof mapTasks.saveFull>[2]): SaveResult {
  return sent.kind === 'saveFull'
    ? mapTasks.saveFull(store, sent.body, saving)
    : mapTasks.saveDelta(store, sent.body, saving);
}

function merged(before: State, { added, modified, dropped }: Edited): State {
  const state = new Map(before);
  for (const one of [...added, ...modified]) state.set(one.properties.unique_id, one);
  for (const id of dropped) state.delete(id);
  return state;
}

function isEqual(one: State, other: State): boolean {
  return JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
}

/** The answer got lost and the client sends again. */
function repeat(world: World, client: Client): void {
  if (client.last === null) return;
  const before = stored(world);
  const author = { user_id: client.actor.user_id, username: null, at: new Date().toISOString() };
  expect(send(world.store, client.last.sent, { author, devices: new Map() })).toEqual(client.last.answer);
  expect(stored(world)).toEqual(before);
}

function restore(world: World, client: Client, back: number): void {
  const before = stored(world);
  const revision = Math.max(0, before.revision - back);
  const { user_id, username } = client.actor;
  const author = { user_id, username, at: new Date().toISOString() };
  mapTasks.restoreRevision(world.store, { mapId: world.geo_id, revision }, author);
  const after = stored(world);
  expect(after.state).toEqual(world.states[revision]);
  expect(after.revision).toBe(before.revision + Number(!isEqual(before.state, after.state)));
  world.states[after.revision] = after.state;
  refresh(world, client);
}

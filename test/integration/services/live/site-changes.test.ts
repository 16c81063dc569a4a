import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { contentVersion } from '../../../../server/db/content-version.ts';
import { openDatabase } from '../../../../server/db/open.ts';
import { DesignRepository } from '../../../../server/db/repositories/design.ts';
import { FacilityRepository } from '../../../../server/db/repositories/facility.ts';
import { SiteChanges, type SiteChange } from '../../../../server/services/live/site-changes.ts';
import { grower, testDevices } from '../../../support/devices.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A site with a house, and what a service over its database hears. */
function site() {
  const all = testDevices();
  const { db, clock } = all;
  const parts = { designs: new DesignRepository(db), facilities: new FacilityRepository(db), clock: () => clock.ms };
  const faults: unknown[] = [];
  const begin = () =>
    new SiteChanges({ ...parts, content: contentVersion(db), onFault: (error) => faults.push(error) });
  const changes = begin();
  const heard: SiteChange[] = [];
  const listen = () => changes.subscribe((change) => heard.push(change));
  /** What was heard since the last call. */
  const news = (): string[] => {
    vi.advanceTimersByTime(500);
    return heard.splice(0).map(said);
  };
  return { ...all, changes, begin, listen, news, faults };
}

const said = (change: SiteChange): string =>
  change.kind === 'device' ? `device ${change.device_id}` : `${change.kind} ${change.state} ${change.revision}`;

it('tells what became of a facility, once each, and of a save that changes nothing nothing', () => {
  const { facilities, house, listen, news } = site();
  house();
  listen();
  const { unique_id, name } = house();
  expect(news()).toEqual(expect.arrayContaining(['facility living 1']));
  facilities.save(grower, { unique_id, name: `${name} north` });
  expect(news()).toEqual(['facility living 2']);
  facilities.save(grower, { unique_id, name: `${name} north` });
  expect(news()).toEqual([]);
  facilities.remove(grower, unique_id);
  expect(news()).toEqual(['facility in_trash 2']);
  facilities.restore(grower, unique_id);
  expect(news()).toEqual(['facility living 2']);
});

it('tells of maps that another connection changes or removes, with the houses on them', () => {
  const { db, house, listen, news } = site();
  const { geo_id } = house();
  listen();
  const other = openDatabase(db.name);
  other.prepare("UPDATE designs SET name = 'Far', revision = revision + 1 WHERE map_uuid = ?").run(geo_id);
  expect(news()).toEqual([expect.stringMatching(/^map living \d+$/)]);
  other.prepare('DELETE FROM facilities').run();
  expect(news()).toEqual(['facility gone 1']);
  other.close();
});

it('tells who comes back what changed in the last hour, also before this service began', () => {
  const { clock, facilities, house, changes, begin } = site();
  const { unique_id } = house();
  expect(changes.recent().map(said)).toContain('facility living 1');
  clock.ms += 3_600_001;
  expect(changes.recent()).toEqual([]);
  facilities.remove(grower, unique_id);
  for (const one of [changes, begin()]) expect(one.recent().map(said)).toEqual(['facility in_trash 1']);
});

it('looks again where the file could not be read, and no more once it is stopped', () => {
  const { db, changes, house, listen, news, faults } = site();
  listen();
  const other = openDatabase(db.name);
  const { geo_id } = house();
  expect(news()).toContain('facility living 1');
  other.prepare('UPDATE designs SET revision = revision + 1 WHERE map_uuid = ?').run(geo_id);
  db.exec('ALTER TABLE facilities RENAME TO elsewhere');
  expect([news(), faults.length > 0]).toEqual([[], true]);
  db.exec('ALTER TABLE elsewhere RENAME TO facilities');
  expect(news()).toEqual([expect.stringMatching(/^map living \d+$/)]);
  other.close();
  changes.stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('tells of a device whenever its settings are stored, also to who comes back within an hour', async () => {
  const all = testDevices();
  all.start();
  await all.daemon.polled();
  const signal = new AbortController().signal;
  const open = (lastEventId?: string) => all.events.open({ actor: grower, kinds: 'device', lastEventId, signal });
  const told = async (stream: ReturnType<typeof open>) =>
    (await stream.next(1))?.flatMap((event) => (event.kind === 'device' ? event.device_id : []));
  const stream = open();
  const { unique_id } = await all.switch();
  expect(await told(stream)).toEqual([unique_id]);
  await all.outputs.change(grower, unique_id, { name: 'Mixing pump' });
  expect(await told(stream)).toEqual([unique_id]);
  await all.controllers.activate(grower, unique_id, false);
  expect(await told(stream)).toEqual([unique_id]);
  await all.outputs.remove(grower, unique_id);
  expect(await told(stream)).toEqual([unique_id]);
  expect(await told(open(all.live.cursor))).toEqual([unique_id]);
  all.clock.ms += 3_600_001;
  expect(await told(open(all.live.cursor))).toEqual([]);
});

it('asks nothing while nobody listens', () => {
  const { changes, house, listen } = site();
  const leave = [listen(), listen()];
  expect(vi.getTimerCount()).toBe(1);
  for (const end of leave) end();
  expect(vi.getTimerCount()).toBe(0);
  house();
  expect(changes.recent().map(said)).toContain('facility living 1');
});

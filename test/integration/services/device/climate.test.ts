import { expect, it, onTestFinished, vi } from 'vitest';
import { AuditRepository } from '../../../../server/db/repositories/audit.ts';
import { greenhouse, periods } from '../../../support/climate-house.ts';
import { grower } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';

type Site = Awaited<ReturnType<typeof greenhouse>>;

/** The changes as the audit keeps them. */
function recorded(db: Site['db'], audited: Site['audited']): AuditRepository {
  const records = new AuditRepository(db);
  for (const { kind, target, before, after } of audited)
    records.insert({
      at: new Date().toISOString(),
      kind,
      user_id: null,
      username: 'kim',
      key_id: null,
      address: null,
      target: target ?? null,
      before: JSON.stringify(before ?? null),
      after: JSON.stringify(after ?? null),
      previous_hash: Buffer.alloc(32),
      hash: Buffer.alloc(32),
    });
  return records;
}

it('is made of its periods alone, changed loop by loop, read by its house, and deleted', async () => {
  const { climates, house, save, audited } = await greenhouse();
  const { program, isMade } = await save({ is_activated: true });
  expect(isMade).toBe(true);
  expect(program).toMatchObject({
    name: 'House',
    facility_uuid: house.unique_id,
    heating: { is_on: true, gain_pct_per_k: 15 },
  });
  await save({ heating: { gain_pct_per_k: 10 } });
  const changed = await save({ ventilation: { pause_s: 600 } });
  expect(changed.isMade).toBe(false);
  expect(climates.ofHouse(house.unique_id)).toMatchObject({
    heating: { gain_pct_per_k: 10, integral_min: 60 },
    ventilation: { pause_s: 600, band_warm_k: 4 },
  });
  expect(climates.live(house.unique_id)).toMatchObject({ at: null, loops: [] });
  await climates.clear(grower, house.unique_id);
  expect(audited.map(({ kind }) => kind).filter((kind) => kind.startsWith('climate.'))).toEqual([
    'climate.create',
    'climate.change',
    'climate.change',
    'climate.delete',
  ]);
  expect(() => climates.ofHouse(house.unique_id)).toThrow(expect.objectContaining({ code: 'not_found' }) as Error);
});

it('is listed with the series of what it aims at, which are kept like those of any sensor', async () => {
  const { devices, measurementSettings, save } = await greenhouse();
  const { program } = await save({ name: 'Tomato' });
  const [listed] = devices.devices().filter(({ kind }) => kind === 'climate');
  expect(listed).toMatchObject({ unique_id: program.unique_id, name: 'Tomato', stale_after_s: 180 });
  expect(listed?.channels.map(({ name, unit, last }) => [name, unit, last])).toEqual([
    ['Heating setpoint', 'C', null],
    ['Ventilation setpoint', 'C', null],
    ['Maximum humidity', '%', null],
    ['Minimum VPD', 'kPa', null],
    ['CO2 setpoint', 'ppm', null],
  ]);
  const kept = measurementSettings.list().filter(({ device_id }) => device_id === program.unique_id);
  expect(kept.map(({ unique_id }) => unique_id)).toEqual(listed?.channels.map(({ measurement_id }) => measurement_id));
  await save({ periods: periods.slice(0, 1) });
  expect(devices.devices().find(({ kind }) => kind === 'climate')?.channels).toEqual(listed?.channels);
});

it('shows what a change would make before it is taken, and saves nothing of it', async () => {
  const { climates, house, save } = await greenhouse();
  const warmer = periods.map((one) => ({ ...one, setpoints: { ...one.setpoints, heating_c: 18, ventilation_c: 24 } }));
  const alone = await climates.previewChanged(house.unique_id, { periods: warmer });
  expect(new Set(alone.setpoints.heating_c.values)).toEqual(new Set([18]));
  await save({});
  const now = await climates.preview(house.unique_id, { hours: 24 });
  expect([Math.min(...now.setpoints.heating_c.values.map(Number)), now.times.length]).toEqual([16, 289]);
  expect((await climates.previewChanged(house.unique_id, { periods: warmer })).setpoints.heating_c.values[0]).toBe(18);
  expect((await climates.preview(house.unique_id, { hours: 1 })).setpoints.heating_c.values).not.toContain(18);
});

it('tells its changes field by field, and brings back what was before one of them', async () => {
  const { climates, house, save, audited, db } = await greenhouse();
  await save({});
  await save({ heating: { gain_pct_per_k: 10 } });
  await save({ is_activated: false, ventilation: { pause_s: 600 } });
  const records = recorded(db, audited);
  const ofAnother = records.list({ limit: 1 })[0];
  if (ofAnother === undefined) throw new Error('there are records');
  for (let at = 0; at < 1_100; at += 1) {
    const { id: _id, key_name: _key, target_name: _name, ...record } = ofAnother;
    records.insert({ ...record, at: new Date().toISOString(), kind: 'climate.change', target: 'a busier house' });
  }
  const [last, first] = climates.history(house.unique_id);
  expect(first).toMatchObject({
    username: 'kim',
    fields: [{ path: 'heating.gain_pct_per_k', before: 15, after: 10 }],
  });
  expect(last?.fields.map(({ path }) => path)).toEqual(['is_activated', 'ventilation.pause_s']);
  const back = await climates.undo(grower, house.unique_id, { id: first?.id ?? 0 });
  expect([back.heating.gain_pct_per_k, back.ventilation.pause_s, back.is_activated]).toEqual([15, 300, false]);
  expect((await refusalOf(climates.undo(grower, house.unique_id, { id: 9999 }))).code).toBe('not_found');
});

it('tells no change of what was absent and is now as it was meant', async () => {
  const { climates, house, save, audited, db } = await greenhouse();
  const day = { name: 'Day', start: { event: 'sunrise' }, setpoints: { heating_c: 19, ventilation_c: 23 } } as const;
  await save({ periods: [day] });
  const setpoints = { ...day.setpoints, heating_c: 20, lamps_allowed: true };
  await save({ periods: [{ ...day, start: { event: 'sunrise', offset_min: 0 }, setpoints }] });
  recorded(db, audited);
  const [last] = climates.history(house.unique_id);
  expect(last?.fields).toEqual([{ path: 'periods[0].setpoints.heating_c', before: 19, after: 20 }]);
});

it('keeps a hold when another change is undone, and undoes a hold by itself', async () => {
  const { climates, house, save, audited, db } = await greenhouse();
  await save({});
  await save({ heating: { gain_pct_per_k: 11 } });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const { program } = await save({ overrides: [{ on: 'heating_c', value: 22, until }] });
  recorded(db, audited);
  const [held, changed] = climates.history(house.unique_id);
  const undone = await climates.undo(grower, house.unique_id, { id: changed?.id ?? 0 });
  expect([undone.heating.gain_pct_per_k, undone.overrides]).toEqual([15, program.overrides]);
  expect((await climates.undo(grower, house.unique_id, { id: held?.id ?? 0 })).overrides).toEqual([]);
});

it('undoes nothing of a program that somebody has changed since it was shown', async () => {
  const { climates, house, save, audited, db } = await greenhouse();
  await save({});
  const { program: shown } = await save({ heating: { gain_pct_per_k: 11 } });
  await save({ heating: { gain_pct_per_k: 12 } });
  recorded(db, audited);
  const id = climates.history(house.unique_id).at(-1)?.id ?? 0;
  const undo = (revision: number) => climates.undo(grower, house.unique_id, { id, revision });
  expect((await refusalOf(undo(shown.revision))).code).toBe('revision_conflict');
  expect(climates.ofHouse(house.unique_id).heating.gain_pct_per_k).toBe(12);
  expect((await undo(shown.revision + 1)).heating.gain_pct_per_k).toBe(15);
});

it('holds a setpoint for a while, shown on the preview, and refuses what it cannot hold', async () => {
  const { climates, house, save, clock } = await greenhouse();
  const until = new Date(clock.ms + 2 * 3_600_000).toISOString();
  await save({ overrides: [{ on: 'heating_c', value: 22, until, why: 'visitors' }] });
  const { times, setpoints } = await climates.preview(house.unique_id, { hours: 4 });
  const at = (hour: number) =>
    setpoints.heating_c.values[times.findIndex((time) => time > clock.ms + hour * 3_600_000)];
  expect([at(1), at(3)]).toEqual([22, expect.toSatisfy((value: number) => value < 20)]);
  expect((await refusalOf(save({ overrides: [{ on: 'humidity_pct', value: 10, until }] }))).errors).toMatchObject([
    { path: 'overrides[0].value' },
  ]);
  const twice = [1, 2].map((n) => ({ on: 'heating_c' as const, value: 20 + n, until }));
  expect((await refusalOf(save({ overrides: twice }))).errors).toMatchObject([{ path: 'overrides[1].on' }]);
});

it('has presets that it takes as they are, with who says each of their numbers', async () => {
  const { climates, save } = await greenhouse();
  const presets = climates.presets();
  expect(presets.map(({ crop }) => crop)).toEqual(['tomato', 'cucumber', 'strawberry', 'lettuce', 'orchid']);
  for (const { program, sources } of presets) {
    const numbers = numbersOf(program);
    expect(sources.map(({ path }) => path).toSorted()).toEqual(numbers.toSorted());
    const taken = await save(program);
    expect(taken.program).toMatchObject(program);
  }
});

/** The paths of all numbers of a value. */
function numbersOf(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return [path];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, one]) =>
    numbersOf(one, isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
  );
}

it('reads a program that an earlier version stored, with what has come since as by default', async () => {
  const { climates, house, save, db } = await greenhouse();
  await save({ heating: { gain_pct_per_k: 10 } });
  db.prepare(
    `UPDATE controllers SET settings = json_remove(settings, '$.heating.dead_band_k') WHERE kind = 'climate'`,
  ).run();
  expect(climates.ofHouse(house.unique_id).heating).toMatchObject({ gain_pct_per_k: 10, dead_band_k: 0.3 });
});

it('refuses a change that is based on an older revision, with what changed since', async () => {
  const { climates, house, save, audited, db, storedSettings } = await greenhouse();
  expect((await save({ revision: 0 })).program.revision).toBe(1);
  expect(await refusalOf(save({ revision: 0 }))).toMatchObject({
    code: 'revision_conflict',
    members: { revision: 1 },
  });
  const theirs = await save({ revision: 1, heating: { gain_pct_per_k: 10 } });
  expect(theirs.program.revision).toBe(2);
  recorded(db, audited);
  const mine = { revision: 1, heating: { gain_pct_per_k: 20 } };
  const conflict = {
    code: 'revision_conflict',
    members: { revision: 2, changed: [{ path: 'heating.gain_pct_per_k', before: 15, after: 10 }] },
  };
  expect(await refusalOf(save(mine))).toMatchObject(conflict);
  const patched = storedSettings.get('climate')?.change(grower, theirs.program.unique_id, mine);
  expect(await refusalOf(patched ?? Promise.resolve())).toMatchObject(conflict);
  expect(climates.ofHouse(house.unique_id)).toMatchObject({ revision: 2, heating: { gain_pct_per_k: 10 } });
  await climates.clear(grower, house.unique_id);
  expect(await refusalOf(save(mine))).toMatchObject({ code: 'revision_conflict', members: { revision: 0 } });
});

it('has the daemon look at once when its house is deleted or brought back, and can be switched off without it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { house, save, facilities, followHouses, daemon, controllers, storedSettings } = await greenhouse();
  const { unique_id } = (await save({ is_activated: true })).program;
  followHouses();
  const told = (): string[] => {
    const heard = vi.advanceTimersByTime(500) && daemon.told.splice(0);
    return heard.filter((one) => one === `controller_refresh ${unique_id}`);
  };
  told();
  facilities.remove(grower, house.unique_id);
  expect(told()).toHaveLength(1);
  facilities.restore(grower, house.unique_id);
  expect(told()).toHaveLength(1);
  facilities.remove(grower, house.unique_id);
  const refused = controllers.activate(grower, unique_id, true);
  expect(await refusalOf(refused)).toMatchObject({ code: 'unknown_reference' });
  await controllers.activate(grower, unique_id, false);
  expect(storedSettings.get('climate')?.get(unique_id).is_activated).toBe(false);
});

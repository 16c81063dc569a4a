import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bodyExamples } from '../../../../server/contract/examples.ts';
import { siteFile, siteFileSent, type SiteFileSent } from '../../../../server/contract/site-file.ts';
import { envelope, grower, testDevices, type TestDevices } from '../../../support/devices.ts';

const square = [
  [127, 37],
  [127.001, 37],
  [127.001, 37.0002],
  [127, 37.0002],
  [127, 37],
];

/** A map with a house and a placed sensor, the devices of the house, its program, a unit, a target. */
async function farm(site: TestDevices): Promise<void> {
  const { inputs, outputs } = await site.presets.simulatedGreenhouse(grower, { name: 'North' });
  const sensor = inputs.find(({ channels }) => channels[0]?.measurement === 'temperature');
  if (sensor === undefined || outputs.length === 0) throw new Error('the preset makes both');
  site.units.create(grower, { measurement: 'temperature', unit: 'R', factor: 0.5555556, offset: -273.15 });
  site.notificationTargets.create(grower, {
    name: 'Broker',
    options: { kind: 'mqtt', url: 'mqtt://broker.example', topic: 'alarms', username: 'kim' },
    secret: 'let-me-in',
  });
  const { map_uuid } = await site.designs.save(
    { map_uuid: randomUUID(), name: 'Field 7', lat: 37, lng: 127, zoom: 17 },
    grower,
  );
  const shape_uuid = randomUUID();
  await site.overlays.save(
    {
      geo_id: map_uuid,
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Polygon', coordinates: [square] },
          properties: { type: 'facility', name: 'House', unique_id: shape_uuid, crop: 'tomato' },
        },
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [127.0005, 37.0001] },
          properties: { type: 'device', name: 'Air', device_id: sensor.unique_id },
        },
      ],
    },
    grower,
  );
  const measurement_id = sensor.channels[0]?.measurement_id ?? '';
  const sensors = [{ role: 'indoor_temp' as const, name: 'Air', device_id: sensor.unique_id, measurement_id }];
  const { facility } = site.facilities.save(grower, { name: 'House 1', shape_uuid, envelope, sensors });
  await site.storedSettings.get('climate')?.create(grower, {
    ...(bodyExamples['POST /api/settings/climates'] as object), // as it is written there
    facility_uuid: facility.unique_id,
    is_activated: false,
  });
}

const read = async (site: TestDevices): Promise<SiteFileSent> =>
  siteFileSent.parse(JSON.parse(await site.siteFile.read(grower)));

async function written(): Promise<{ source: TestDevices; file: SiteFileSent }> {
  const source = testDevices();
  await farm(source);
  return { source, file: await read(source) };
}

describe('the file of a whole site', () => {
  it('is as its schema says, and holds no secret', async () => {
    const { source } = await written();
    const text = await source.siteFile.read(grower);
    expect(() => siteFile.parse(JSON.parse(text))).not.toThrow();
    expect(text).not.toContain('let-me-in');
    const { $schema, required } = source.siteFile.schema() as { $schema: string; required?: string[] };
    expect($schema).toContain('2020-12');
    expect(required).toEqual(expect.arrayContaining(['maps', 'facilities', 'devices', 'settings']));
  });

  it('brings all of it to an empty machine, with the same ids, joined as it was and not activated', async () => {
    const { file } = await written();
    const target = testDevices();
    const report = await target.siteFile.take(grower, file, {});
    expect(report).toMatchObject({ is_dry_run: false, refused: [], kept: [] });
    expect(report.made.filter(({ from_id, unique_id }) => from_id !== unique_id)).toEqual([]);
    const there = await read(target);
    const lasting = (one: SiteFileSent) => ({
      devices: one.devices?.map(({ settings }) => ({ ...settings, is_activated: false })),
      facilities: one.facilities?.map(({ created_at: _c, updated_at: _u, revision: _r, ...rest }) => rest),
      maps: one.maps?.find(({ name }) => name === 'Field 7')?.features,
      units: one.units,
    });
    expect(lasting(there)).toEqual(lasting(file));
    expect(there.devices?.filter(({ settings }) => settings['is_activated'] !== false)).toEqual([]);
    expect(report.made.find(({ kind }) => kind === 'notification_target')).toMatchObject({ without: ['secret'] });
    expect(target.notificationTargets.list()).toMatchObject([{ is_enabled: false, secret: null }]);
    const { kept } = await target.siteFile.take(grower, file, { dry_run: true });
    expect(kept.filter(({ is_same }) => !is_same)).toEqual([]);
  });

  it('is rehearsed without a trace', async () => {
    const { file } = await written();
    const target = testDevices();
    const before = await read(target);
    const rehearsed = await target.siteFile.take(grower, file, { dry_run: true });
    expect(rehearsed).toMatchObject({ is_dry_run: true, refused: [] });
    expect({ ...(await read(target)), made_at: 0 }).toEqual({ ...before, made_at: 0 });
    const done = await target.siteFile.take(grower, file, {});
    expect(rehearsed.made.map(({ from_id }) => from_id)).toEqual(done.made.map(({ from_id }) => from_id));
  });

  it('leaves what is here, says what differs, and makes copies of it where that is asked for', async () => {
    const { source, file } = await written();
    const [first] = file.facilities ?? [];
    source.facilities.save(grower, { unique_id: first?.unique_id ?? '', name: 'Mine by now' });
    const again = await source.siteFile.take(grower, file, {});
    expect(again).toMatchObject({ made: [], refused: [] });
    expect(again.kept.filter(({ is_same }) => !is_same)).toMatchObject([{ kind: 'facility', name: 'House 1' }]);
    expect(source.facilities.list({}).map(({ name }) => name)).toEqual(['Mine by now']);
    const copied = await source.siteFile.take(grower, file, { copies: true });
    const own = copied.refused.map(({ kind }) => kind);
    expect(own).toEqual(['unit']); // of one name there is one
    const third = await source.siteFile.take(grower, file, { copies: true });
    const namesOf = ({ made }: typeof copied) =>
      made.flatMap(({ kind, name }) => (kind === 'map' || kind === 'facility' ? [name] : []));
    expect(namesOf(copied)).toEqual(['Farm (2)', 'Field 7 (2)', 'House 1']);
    expect(namesOf(third)).toEqual(['Farm (3)', 'Field 7 (3)', 'House 1 (2)']);
    const ofCopies = await source.siteFile.take(grower, { ...(await read(source)), devices: [] }, { copies: true });
    const farms = namesOf(ofCopies).filter((name) => name.startsWith('Farm'));
    expect(farms.toSorted()).toEqual(['Farm (4)', 'Farm (5)', 'Farm (6)']);
    expect(source.designs.list({ trash: false }).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Field 7', 'Field 7 (2)', 'Field 7 (3)']),
    );
    const copy = source.facilities.list({}).find(({ name }) => name === 'House 1');
    const inputs = new Set(source.inputs.list().map(({ unique_id }) => unique_id));
    expect(copy?.unique_id).not.toBe(first?.unique_id);
    expect(inputs.has(copy?.sensors[0]?.device_id ?? '')).toBe(true);
    expect(copy?.sensors[0]?.device_id).not.toBe(
      (first as { sensors?: { device_id: string }[] }).sensors?.[0]?.device_id,
    );
  });

  it('takes a number of its own copies for one of theirs alone, and cuts no character in two', async () => {
    const { siteFile: files, designs } = testDevices();
    const long = `${'x'.repeat(189)}🍅🍅`;
    const features = { type: 'FeatureCollection', features: [] };
    const place = { lat: 37, lng: 127, zoom: 17, features };
    const maps = ['Tomato (2024)', long].map((name) => ({ map_uuid: randomUUID(), name, ...place }));
    const file = siteFileSent.parse({ format: 'orangery-site', version: 1, maps });
    for (let copy = 0; copy < 3; copy += 1)
      expect(await files.take(grower, file, { copies: true })).toMatchObject({ refused: [] });
    const years = ['Tomato (2024)', 'Tomato (2024) (2)', 'Tomato (2024) (3)'];
    const longs = [long, `${'x'.repeat(189)} (2)`, `${'x'.repeat(189)} (3)`];
    const names = designs.list({ trash: false }).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['Farm', ...years, ...longs].toSorted());
  });

  it('says what cannot be taken and why, and takes the rest', async () => {
    const { file } = await written();
    const spoilt = structuredClone(file);
    const [map] = (spoilt.maps ?? []).filter(({ name }) => name === 'Field 7');
    Object.assign(map?.features as object, {
      features: [
        { type: 'Feature', geometry: { type: 'Polygon', coordinates: [[[127, 37]]] }, properties: { type: 'bay' } },
      ],
    });
    spoilt.devices?.splice(0, 1);
    const target = testDevices();
    const report = await target.siteFile.take(grower, spoilt, {});
    const refused = Object.fromEntries(report.refused.map(({ kind, code }) => [kind, code]));
    expect(refused).toMatchObject({
      map: 'invalid_geometry',
      facility: 'unknown_reference',
      climate: 'unknown_reference',
    });
    expect(target.designs.list({ trash: false }).map(({ name }) => name)).not.toContain('Field 7');
    expect(report.made.length).toBeGreaterThan(5);
  });

  it('leaves no map behind that could not be drawn', async () => {
    const { file } = await written();
    const spoilt = structuredClone(file);
    const [map] = (spoilt.maps ?? []).filter(({ name }) => name === 'Field 7');
    const drawn = map?.features as { features: { properties: { type: string; channel?: number } }[] } | undefined;
    for (const { properties } of drawn?.features ?? []) if (properties.type === 'device') properties.channel = 99;
    const target = testDevices();
    const report = await target.siteFile.take(grower, spoilt, {});
    expect(report.refused).toMatchObject([{ kind: 'map' }, { kind: 'facility' }, { kind: 'climate' }]);
    const again = await target.siteFile.take(grower, file, {});
    expect(again.refused).toEqual([]);
    expect(again.made.map(({ kind }) => kind)).toEqual(['map', 'facility', 'climate']);
  });

  it('leaves the mark of a device that does not come where it is drawn', async () => {
    const { file } = await written();
    const target = testDevices();
    const report = await target.siteFile.take(grower, { ...file, devices: [], facilities: [] }, {});
    expect(report.refused).toEqual([]);
    const map = report.made.find(({ name }) => name === 'Field 7');
    expect(map?.without).toEqual(['features.1.properties.device_id']);
  });

  it('changes settings that stand as an installation begins, and others only by word', async () => {
    const { file } = await written();
    const target = testDevices();
    const sent = {
      ...file,
      settings: { ...file.settings, site_name: 'North field', zoom: 15, alarm_limits: { frost_c: 2 }, language: 'xx' },
    };
    const first = await target.siteFile.take(grower, sent, { dry_run: true });
    const done = await target.siteFile.take(grower, sent, {});
    expect(done.settings).toEqual(first.settings);
    const outcomes = (list: typeof done.settings) =>
      Object.fromEntries(list.map(({ path, outcome }) => [path, outcome]));
    expect(outcomes(done.settings)).toMatchObject({ site_name: 'taken', zoom: 'taken', language: 'refused' });
    expect(done.settings.find(({ path }) => path === 'language')).toMatchObject({ code: 'invalid_field' });
    const other = { ...sent, settings: { site_name: 'South field' } };
    expect(outcomes((await target.siteFile.take(grower, other, {})).settings)).toEqual({ site_name: 'kept' });
    const replaced = await target.siteFile.take(grower, other, { replace_settings: true });
    expect(outcomes(replaced.settings)).toEqual({ site_name: 'taken' });
    expect(JSON.parse(await target.siteFile.read(grower))).toMatchObject({
      settings: { site_name: 'South field', zoom: 15 },
    });
  });

  it('of a deleted map says that it lies in the trash', async () => {
    const { source, file } = await written();
    const map = file.maps?.find(({ name }) => name === 'Field 7');
    await source.designs.remove(map?.map_uuid ?? '', grower);
    const report = await source.siteFile.take(grower, { ...file, devices: [] }, {});
    expect(report.refused).toMatchObject([
      { kind: 'map', code: 'in_trash' },
      { kind: 'facility', code: 'in_trash' },
    ]);
  });
});

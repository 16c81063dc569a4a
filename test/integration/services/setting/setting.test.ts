import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../../server/contract/user.ts';
import { settings, settingsPatch, type SettingsPatch } from '../../../../server/contract/setting.ts';
import { defaultSettings } from '../../../../server/services/setting/defaults.ts';
import { OutputRepository } from '../../../../server/db/repositories/output.ts';
import { newOutput } from '../../../../server/services/device/output.ts';
import { composeAccounts } from '../../../../server/composition/accounts.ts';
import { actorOf, codeOf, testAccounts, type TestAccounts } from '../../../support/accounts.ts';
import { testDatabase } from '../../../support/database.ts';

const delivered = defaultSettings('Asia/Seoul');

let test: TestAccounts;
let kim: User;

beforeEach(async () => {
  test = testAccounts();
  kim = await test.add('kim', 'Editor');
});

describe('get', () => {
  it('gives what is delivered, as the contract has it, and writes nothing', () => {
    expect(test.settings.get()).toEqual(delivered);
    expect(settings.parse(test.settings.get())).toEqual(delivered);
    expect(test.db.prepare('SELECT count(*) FROM settings').pluck().get()).toBe(0);
  });

  it('keeps what it read until a row changes, by whatever hand, and nobody can change what it gave', () => {
    const first = test.settings.get();
    expect(test.settings.get()).toBe(first);
    expect(() => Object.assign(first.safety, { max_current_a: 1 })).toThrow(TypeError);
    test.db.prepare("INSERT INTO settings VALUES ('zoom', '7')").run();
    expect(test.settings.get()).toEqual({ ...delivered, zoom: 7 });
  });

  it('takes the zone of the machine when none is given', () => {
    const { settings: local } = composeAccounts({ db: testDatabase('orangery'), now: test.clock.now });
    expect(local.get().time_zone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });
});

describe('save', () => {
  it('changes what is named, keeps the rest and answers the whole', () => {
    const saved = test.settings.save({ lat: -36.8, language: 'ja' }, actorOf(kim));
    expect(saved).toEqual({ ...delivered, lat: -36.8, language: 'ja' });
    expect(test.settings.save({ zoom: 5 }, actorOf(kim))).toEqual({ ...saved, zoom: 5 });
    expect(test.settings.get()).toEqual({ ...saved, zoom: 5 });
  });

  it('writes down what changed, and nothing where nothing did', () => {
    test.settings.save({ lat: 1, zoom: 13 }, actorOf(kim));
    test.settings.save({ lat: 1 }, actorOf(kim));
    test.settings.save({}, actorOf(kim));
    expect(test.audits.list({ kind: 'setting.save' }).audit).toMatchObject([
      { username: 'kim', before: { lat: 37.5665 }, after: { lat: 1 } },
    ]);
  });

  it.each([
    ['a zoom beyond the deepest', { zoom: 20, max_zoom: 19 }],
    ['a deepest zoom above the zoom', { max_zoom: 12 }],
    ['a time zone that is none', { time_zone: 'Farm/Greenhouse' }],
    ['a band that is none', { alarm_limits: { indoor_temp_low_c: 40 } }],
    ['frost above heat', { alarm_limits: { frost_c: 45 } }],
  ])('refuses %s and saves nothing: invalid_field', (_, patch) => {
    expect(codeOf(() => test.settings.save({ ...patch, lat: 1 }, actorOf(kim)))).toBe('invalid_field');
    expect(test.settings.get()).toEqual(delivered);
  });
});

const save = (patch: SettingsPatch) => test.settings.save(settingsPatch.parse(patch), actorOf(kim));

describe('a deep patch', () => {
  it('merges objects by key, replaces lists, and null clears what is optional', () => {
    save({
      theme: { site: { color: '#00ff00', opacity: 0.5 }, pipe: { color: '#0000ff' } },
      visibility: { label: false },
    });
    save({ theme: { site: { opacity: null }, pipe: null }, labels: { areas: true }, visibility: { label: null } });
    expect(test.settings.get()).toEqual({
      ...delivered,
      theme: { site: { color: '#00ff00' } },
      labels: { ...delivered.labels, areas: true },
    });
    const template = { id: 'aerial', name: 'Aerial', url: 'https://tiles.example/{z}/{x}/{y}.png' };
    save({ providers: { tiles: { templates: [template, { ...template, id: 'second' }] } } });
    expect(save({ providers: { tiles: { templates: [template] } } }).providers.tiles).toEqual({
      enabled: true,
      templates: [template],
    });
  });

  it('takes the site as it is where design conditions are cleared, and watches no limit that is null', () => {
    save({ design_conditions: { heating_outdoor_c: -15, wind_factor: 1.1 }, alarm_limits: { wind_m_s: null } });
    const saved = save({ design_conditions: { wind_factor: null } });
    expect(saved.design_conditions).toEqual({ heating_outdoor_c: -15 });
    expect(saved.alarm_limits).toEqual({ ...delivered.alarm_limits, wind_m_s: null });
  });

  it('takes back the whole answer unchanged and writes nothing', () => {
    save({ providers: { vworld: { key: 'k1', domain: 'farm.example' } }, wms_layers: [layer({ password: 'p1' })] });
    const before = test.settings.get();
    const count = test.audits.list({}).audit.length;
    expect(save(before)).toEqual(before);
    expect(test.audits.list({}).audit).toHaveLength(count);
    expect(test.settings.providerKey('vworld')).toBe('k1');
  });
});

function layer(others: object = {}) {
  return {
    name: 'Cadastre',
    url: 'https://wms.example/ows',
    version: '1.3.0' as const,
    layers: 'a,b',
    format: 'image/png' as const,
    crs: 'EPSG:3857',
    username: 'farm',
    ...others,
  };
}

describe('secrets', () => {
  it('are answered as set, stored sealed and read back by the service alone', () => {
    const saved = save({
      providers: { openweather: { enabled: true, key: 'ow-secret' } },
      wms_layers: [layer({ password: 'wms-secret' })],
    });
    expect(saved.providers.openweather).toEqual({ enabled: true, key: { set: true } });
    expect(saved.wms_layers).toMatchObject([{ username: 'farm', password: { set: true } }]);
    const everything = [
      JSON.stringify(test.settings.get()),
      JSON.stringify(test.db.prepare('SELECT * FROM settings').all()),
      JSON.stringify(test.db.prepare('SELECT before, after FROM audit').all()),
    ].join();
    expect(everything).toContain('"sealed');
    expect(everything).not.toMatch(/ow-secret|wms-secret/);
    expect(test.settings.providerKey('openweather')).toBe('ow-secret');
    expect(test.settings.wmsPassword(saved.wms_layers[0]?.unique_id ?? '')).toBe('wms-secret');
    expect(statSync(join(dirname(test.db.name), 'secret.key')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['another server', 'https://eve.example/wms'],
    ['another port', 'https://maps.example:8443/wms'],
    ['no TLS', 'http://maps.example/wms'],
  ])('do not follow a layer to %s', (_, elsewhere) => {
    const url = 'https://maps.example/wms';
    const [first] = save({ wms_layers: [layer({ url, password: 'one' })] }).wms_layers;
    const moved = { ...layer({ url: elsewhere, password: { set: true } }), unique_id: first?.unique_id };
    expect(codeOf(() => save({ wms_layers: [moved] }))).toBe('read_only_field');
    save({ wms_layers: [{ ...moved, url: `${url}/other` }] });
    expect(test.settings.wmsPassword(first?.unique_id ?? '')).toBe('one');
  });

  it('stay when sent back as answered, change when sent anew, and go with null', () => {
    const [first] = save({ wms_layers: [layer({ password: 'one' })] }).wms_layers;
    const id = first?.unique_id ?? '';
    save({ wms_layers: [{ ...layer({ name: 'Renamed' }), unique_id: id.toUpperCase(), password: { set: true } }] });
    expect(test.settings.get().wms_layers).toMatchObject([{ unique_id: id, name: 'Renamed' }]);
    expect(test.settings.wmsPassword(id)).toBe('one');
    save({ wms_layers: [layer({ unique_id: id, password: 'two' })] });
    expect(test.settings.wmsPassword(id)).toBe('two');
    save({ wms_layers: [layer({ unique_id: id, password: null })] });
    expect(test.settings.wmsPassword(id)).toBeUndefined();
    save({ providers: { vworld: { key: 'one' } } });
    expect(save({ providers: { vworld: { key: null } } }).providers.vworld).toEqual({ enabled: false });
    expect(test.settings.providerKey('vworld')).toBeUndefined();
  });

  it('write a record when a new one replaces another', () => {
    save({ providers: { vworld: { key: 'one' } } });
    save({ providers: { vworld: { key: 'two' } } });
    expect(test.audits.list({ kind: 'setting.save' }).audit).toHaveLength(2);
    expect(test.settings.providerKey('vworld')).toBe('two');
  });

  it('that are not there cannot be kept: read_only_field', () => {
    expect(codeOf(() => save({ providers: { vworld: { key: { set: true } } } }))).toBe('read_only_field');
    expect(codeOf(() => save({ wms_layers: [layer({ password: { set: true } })] }))).toBe('read_only_field');
    const twice = layer({ unique_id: '11111111-1111-4111-8111-111111111111' });
    expect(codeOf(() => save({ wms_layers: [twice, twice] }))).toBe('invalid_field');
    expect(test.settings.get()).toEqual(delivered);
  });
});

describe('the patch as the contract has it', () => {
  it.each([
    ['an unknown key', { nothing: 1 }],
    ['an unknown provider', { providers: { elsewhere: { enabled: true } } }],
    ['an unknown member of a provider', { providers: { isric: { key: 'x' } } }],
    ['an unknown type of feature', { theme: { tree: { color: '#000000' } } }],
    ['a colour that is none', { theme: { site: { color: 'red' } } }],
    ['an address of another scheme', { wms_layers: [layer({ url: 'file:///etc/passwd' })] }],
    [
      'a template without a place',
      { providers: { tiles: { templates: [{ id: 'a', name: 'a', url: 'https://a/b' }] } } },
    ],
  ])('refuses %s', (_, patch) => {
    expect(settingsPatch.safeParse(patch).success).toBe(false);
  });
});

describe('interlocks', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const row = { name: 'pair', while_channel: 0, above_pct: 0, forbids_channel: 0, is_mutual: true };

  it('join channels that are there', () => {
    const [vent, heater] = ['roof_vent', 'heater'].map((part) =>
      newOutput({ name: part, driver: 'simulated', options: { house: id, part } }),
    );
    if (vent === undefined || heater === undefined) throw new Error('two outputs were made');
    const outputs = new OutputRepository(test.db);
    for (const output of [vent, heater]) outputs.insert(output);
    const both = { ...row, while_output_id: vent.unique_id, forbids_output_id: heater.unique_id };
    const saved = test.settings.save({ safety: { interlocks: [both], max_current_a: 63 } }, actorOf(kim));
    expect(saved.safety).toEqual({ interlocks: [both], max_current_a: 63 });
    expect(test.settings.save({ safety: { max_current_a: null } }, actorOf(kim)).safety).toEqual({
      interlocks: [both],
      max_current_a: null,
    });
    for (const [code, wrong] of [
      ['unknown_reference', { ...both, while_output_id: id }],
      ['unknown_reference', { ...both, forbids_channel: 3 }],
      ['invalid_field', { ...both, forbids_output_id: vent.unique_id.toUpperCase() }],
    ] as const) {
      expect(codeOf(() => test.settings.save({ safety: { interlocks: [wrong] } }, actorOf(kim)))).toBe(code);
    }
    expect(test.settings.get().safety.interlocks).toEqual([both]);
  });
});

import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { SecretBox } from '../../../../server/auth/secret-box.ts';
import { openedOptions } from '../../../../server/daemon/opened-options.ts';
import { InputRepository } from '../../../../server/db/repositories/input.ts';
import { OutputRepository } from '../../../../server/db/repositories/output.ts';
import { grower, testDevices } from '../../../support/devices.ts';
import { loopbackCertificate } from '../../../support/loopback-certificate.ts';
import { refusalOf } from '../../../support/refusal.ts';

const broker = { host: 'broker', username: 'grower', password: 'correct horse' };
const sensor = { name: 'Sensor', driver: 'mqtt', options: { ...broker, values: [{ channel: 0, topic: 'a/b' }] } };
const actuators = [{ channel: 0, kind: 'switch', command_topic: 'a/set' }];
const pump = { name: 'Pump', driver: 'mqtt', options: { ...broker, actuators } };

/** What the daemon reads of a device, opened with the key beside the database. */
function setUp() {
  const site = testDevices();
  const box = new SecretBox(join(dirname(site.db.name), 'secret.key'));
  const stored = { inputs: new InputRepository(site.db), outputs: new OutputRepository(site.db) };
  const opened = (kind: 'inputs' | 'outputs', id: string) => openedOptions(stored[kind].get(id)?.options ?? {}, box);
  return { ...site, stored, opened };
}

it('keeps the password of a device sealed, and neither answers nor records it', async () => {
  const { inputs, outputs, audited, stored, opened } = setUp();
  const made = await inputs.create(grower, sensor);
  const driven = await outputs.create(grower, pump);
  expect(made.options).toMatchObject({ host: 'broker', password: { set: true } });
  expect(driven.options).toMatchObject({ password: { set: true } });
  expect(inputs.get(made.unique_id)).toEqual(made);
  expect(outputs.listLive()).toMatchObject([{ options: { password: { set: true } } }]);
  expect(stored.inputs.get(made.unique_id)?.options['password']).toHaveProperty('sealed');
  expect(opened('inputs', made.unique_id)).toMatchObject({ password: 'correct horse' });
  expect(opened('outputs', driven.unique_id)).toMatchObject({ password: 'correct horse' });
  await inputs.remove(grower, made.unique_id);
  expect(JSON.stringify(audited)).not.toMatch(/correct horse|sealed/);
});

it('keeps it where it is sent back as it was answered or not named, replaces it and takes it away', async () => {
  const { inputs, stored, opened } = setUp();
  const { unique_id } = await inputs.create(grower, sensor);
  const before = stored.inputs.get(unique_id)?.options;
  await inputs.change(grower, unique_id, { options: { password: { set: true } } });
  await inputs.change(grower, unique_id, { name: 'Renamed' });
  expect(stored.inputs.get(unique_id)?.options).toEqual(before);
  await inputs.change(grower, unique_id, { options: { password: 'another' } });
  expect(opened('inputs', unique_id)).toMatchObject({ password: 'another' });
  const bare = await inputs.change(grower, unique_id, { options: { password: null } });
  expect(bare.options).not.toHaveProperty('password');
});

it('does not go where others can read it: without TLS it must be sent again', async () => {
  const { inputs } = setUp();
  const { unique_id } = await inputs.create(grower, { ...sensor, options: { ...sensor.options, tls: true } });
  const bare = await refusalOf(inputs.change(grower, unique_id, { options: { tls: false } }));
  expect([bare.code, bare.errors?.[0]?.path]).toEqual(['read_only_field', 'options.password']);
});

it('does not go to whom another certificate vouches for', async () => {
  const { inputs } = setUp();
  const { unique_id } = await inputs.create(grower, { ...sensor, options: { ...sensor.options, tls: true } });
  const { ca } = await loopbackCertificate();
  const trusting = await refusalOf(inputs.change(grower, unique_id, { options: { ca } }));
  expect([trusting.code, trusting.errors?.[0]?.path]).toEqual(['read_only_field', 'options.password']);
});

it('does not follow to another address, where it must be sent again', async () => {
  const { inputs, stored, opened } = setUp();
  const { unique_id } = await inputs.create(grower, sensor);
  const before = stored.inputs.get(unique_id);
  const moved = await refusalOf(inputs.change(grower, unique_id, { options: { host: 'elsewhere' } }));
  expect([moved.code, moved.errors?.[0]?.path]).toEqual(['read_only_field', 'options.password']);
  expect(stored.inputs.get(unique_id)).toEqual(before);
  await inputs.change(grower, unique_id, { options: { host: 'elsewhere', password: 'another' } });
  expect(opened('inputs', unique_id)).toMatchObject({ host: 'elsewhere', password: 'another' });
});

it.each([
  ['the mark of a password that there is none of', { set: true }, 'read_only_field', 'options.password'],
  ['a sealed text from outside', { sealed: 'v1.AAAA' }, 'invalid_field', 'options.password'],
  ['a number', 5, 'invalid_field', 'options.password'],
])('refuses %s', async (_, password, code, field) => {
  const { inputs } = setUp();
  const sent = { ...sensor, options: { ...sensor.options, password } };
  const refused = await refusalOf(() => inputs.create(grower, sent));
  expect([refused.code, refused.errors?.[0]?.path]).toEqual([code, field]);
});

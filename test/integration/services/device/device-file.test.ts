import { describe, expect, it } from 'vitest';
import type { DeviceFile } from '../../../../server/contract/device-file.ts';
import { deviceFile } from '../../../../server/contract/device-file.ts';
import type { Pid } from '../../../../server/contract/pid.ts';
import { grower, testDevices, type TestDevices } from '../../../support/devices.ts';

/** A house with a PID by one of its sensors, and a rule that asks after the PID. */
async function house(devices: TestDevices): Promise<void> {
  const { inputs, outputs } = await devices.presets.simulatedGreenhouse(grower, { name: 'North' });
  const [sensor, heater] = [inputs[0], outputs[0]];
  const pids = devices.storedSettings.get('pid');
  const pid = await pids?.create(grower, {
    name: 'Heating',
    kp: 2,
    setpoint: 20,
    measurement: {
      device_id: sensor?.unique_id,
      measurement_id: sensor?.channels[0]?.measurement_id,
      max_age_s: 120,
    },
    raise: { output_id: heater?.unique_id, kind: 'duration' },
  });
  await devices.storedSettings.get('conditional')?.create(grower, {
    name: 'Watch',
    statement: '',
    conditions: [
      {
        unique_id: '0c5e91f2-5f1c-4b52-9f39-0d4d3ad7a111',
        name: 'heating',
        kind: 'controller',
        controller_id: pid?.unique_id,
      },
    ],
    actions: [],
  });
}

async function written(): Promise<DeviceFile> {
  const source = testDevices();
  await house(source);
  return deviceFile.parse(JSON.parse(JSON.stringify(source.deviceFile.read())));
}

describe('a file of devices', () => {
  it('brings all of them to another machine, with ids of its own, joined as they were and not activated', async () => {
    const file = await written();
    const target = testDevices();
    const report = await target.deviceFile.take(grower, file, false);
    expect(report.refused).toEqual([]);
    expect(report.made.map(({ kind }) => kind).toSorted()).toEqual(file.entries.map(({ kind }) => kind).toSorted());
    const ids = new Set(file.entries.map(({ settings }) => settings.unique_id));
    expect(report.made.filter(({ unique_id }) => unique_id === null || ids.has(unique_id))).toEqual([]);
    const pid = target.storedSettings.get('pid')?.list()[0] as Pid; // of that word
    const sensor = target.inputs.get(pid.measurement.device_id);
    expect(sensor.name).toMatch(/^North /);
    expect(sensor.channels[0]?.measurement_id).toBe(pid.measurement.measurement_id);
    expect(target.outputs.get(pid.raise?.output_id ?? '').name).toMatch(/^North /);
    const all = target.deviceFile.read().entries;
    expect(all.filter(({ settings }) => settings['is_activated'] !== false)).toEqual([]);
    const rule = all.find(({ kind }) => kind === 'conditional')?.settings;
    expect(rule).toMatchObject({ name: 'Watch', conditions: [{ controller_id: pid.unique_id }] });
  });

  it('may be taken twice: what is there stays', async () => {
    const file = await written();
    const target = testDevices();
    await target.deviceFile.take(grower, file, false);
    const before = target.deviceFile.read().entries;
    await target.deviceFile.take(grower, file, false);
    const after = target.deviceFile.read().entries;
    expect(after).toHaveLength(2 * before.length);
    expect(after).toEqual(expect.arrayContaining(before));
  });

  it('is looked at without making anything', async () => {
    const file = await written();
    const target = testDevices();
    const report = await target.deviceFile.take(grower, file, true);
    expect(report).toMatchObject({ is_dry_run: true, refused: [] });
    expect(report.made).toHaveLength(file.entries.length);
    expect(target.deviceFile.read().entries).toEqual([]);
  });

  it('says what could not be taken and why, and takes the rest', async () => {
    const file = await written();
    const spoilt = {
      ...file,
      entries: file.entries.map((entry, at) =>
        at === 0 ? { ...entry, settings: { ...entry.settings, driver: 'of-another-program' } } : entry,
      ),
    };
    const target = testDevices();
    const report = await target.deviceFile.take(grower, spoilt, false);
    expect(report.refused[0]).toMatchObject({
      name: file.entries[0]?.settings.name,
      message: expect.stringMatching(/driver/) as string,
    });
    expect(report.made.length + report.refused.length).toBe(file.entries.length);
    expect(report.made.length).toBeGreaterThan(5);
  });

  it('that has an id twice is none', async () => {
    const file = await written();
    const [first, ...others] = file.entries;
    const twin = { ...first, settings: { ...first?.settings, unique_id: first?.settings.unique_id.toUpperCase() } };
    const read = deviceFile.safeParse({ ...file, entries: [first, ...others, twin] });
    expect(read.error?.issues).toMatchObject([{ path: ['entries'], message: 'must have unique_ids that differ' }]);
  });

  it('of which each entry names the next has the last made first', async () => {
    const ids = Array.from({ length: 1_500 }, (_, at) => `0c5e91f2-5f1c-4b52-9f39-${String(at).padStart(12, '0')}`);
    const entries = ids.map((unique_id, at) => ({
      kind: 'conditional' as const,
      settings: { unique_id, name: `Rule ${at}`, next: ids[at + 1], notes: 'x'.repeat(4_000) },
    }));
    const report = await testDevices().deviceFile.take(grower, { entries }, true);
    expect(report.made.length + report.refused.length).toBe(ids.length);
    expect((report.made[0] ?? report.refused[0])?.name).toBe('Rule 1499');
  });

  it('holds no secrets, and says which are to be entered again', async () => {
    const source = testDevices();
    await source.inputs.create(grower, {
      name: 'Broker',
      driver: 'mqtt',
      options: { host: 'broker', username: 'kim', password: 'let-me-in', values: [{ channel: 0, topic: 'a/b' }] },
    });
    const file = source.deviceFile.read();
    expect(JSON.stringify(file)).not.toContain('let-me-in');
    const report = await testDevices().deviceFile.take(grower, file, false);
    expect(report).toMatchObject({ made: [{ name: 'Broker', without: ['options.password'] }], refused: [] });
  });
});

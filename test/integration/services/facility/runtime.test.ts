import { describe, expect, it } from 'vitest';
import { runtimeResult, type RuntimeResult, type SensorRole } from '../../../../server/contract/facility.ts';
import type { Input } from '../../../../server/contract/input.ts';
import type { CommandSource, OutputState } from '../../../../server/contract/output.ts';
import { openDatabase } from '../../../../server/db/open.ts';
import { devicesStart, grower, testDevices } from '../../../support/devices.ts';
import { stateOf } from '../../../support/scripted-daemon.ts';

const roles = ['indoor_temp', 'indoor_humidity', 'indoor_co2'] as const;
const values = [25, 60, 800];

/** A house with the sensors of a simulated greenhouse, its heater and its roof vent; all have spoken, all is off. */
async function liveHouse() {
  const all = testDevices();
  const { daemon, clock } = all;
  const { inputs, outputs } = await all.presets.simulatedGreenhouse(grower, {});
  const part = (name: string) => {
    const found = [...inputs, ...outputs].find(({ options }) => options['part'] === name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found.unique_id;
  };
  const [indoor] = inputs;
  if (indoor === undefined) throw new Error('no indoor climate');
  const ids = { indoor: indoor.unique_id, heater: part('heater'), vent: part('roof_vent') };
  const house = all.house({
    sensors: roles.map((role, channel) => sensorOf(indoor, role, channel)),
    actuators: [
      { role: 'heater', device_id: ids.heater, name: 'Heater' },
      { role: 'roof_vent', device_id: ids.vent, name: 'Vent' },
    ],
  });
  const speak = (channel: number, value: number | null, quality: 'good' | 'bad' = 'good') => {
    const { measurement_id = '' } = indoor.channels[channel] ?? {};
    const reading = { device_id: ids.indoor, measurement_id, channel, value, unit: 'C', quality, time_ms: clock.ms };
    daemon.emit({ kind: 'measurement', ...reading });
  };
  const drive = (output_id: string, state: OutputState, source: CommandSource | null = null) => {
    const changed_at = new Date(clock.ms).toISOString();
    daemon.emit({ kind: 'output', output_id, ...stateOf({ state, changed_at, source }), outcome: 'confirmed' });
  };
  all.start();
  await daemon.polled();
  values.forEach((value, channel) => speak(channel, value));
  drive(ids.heater, 'off');
  drive(ids.vent, 0);
  await daemon.polled();
  const kept = () => all.runtime.runtime(house.unique_id);
  const read = (): RuntimeResult => runtimeResult.parse(JSON.parse(kept().json.toString()));
  return { ...all, indoor, house, ids, speak, drive, kept, read };
}

function sensorOf(input: Input, role: SensorRole, channel: number) {
  const { measurement_id = '' } = input.channels[channel] ?? {};
  return { role, device_id: input.unique_id, measurement_id, name: role };
}

const codes = (result: RuntimeResult) => result.alerts.items.map((item) => item.code);

describe('an emergency stop', () => {
  const stopped = { active: true, since: '2026-06-01T06:00:00.000Z', by: 'kim', reason: 'smoke' };
  const alert = {
    code: 'emergency_stop',
    severity: 'emergency',
    name: 'kim',
    detail: 'smoke',
    since: stopped.since,
    message: 'Emergency stop by kim: every output is commanded to its safe state.',
  };

  it('is an emergency of every house, from the moment that it holds until its release', async () => {
    const { read, kept, daemon } = await liveHouse();
    const before = kept().etag;
    daemon.emit({ kind: 'emergency_stop', ...stopped });
    await daemon.polled();
    expect(kept().etag).not.toBe(before);
    expect(read()).toMatchObject({ level: 'emergency', alerts: { level: 'emergency', items: [alert] } });
    daemon.emit({ kind: 'emergency_stop', active: false, since: null, by: null, reason: null, released_by: 'anna' });
    await daemon.polled();
    expect(read()).toMatchObject({ level: 'idle', alerts: { items: [] } });
  });

  it('is known to a service that was started while it holds', async () => {
    const all = testDevices();
    const house = all.house({});
    all.daemon.emergencyStop = { ...stopped, outputs: [] };
    all.start();
    await all.daemon.polled();
    const { json } = all.runtime.runtime(house.unique_id);
    expect(JSON.parse(json.toString())).toMatchObject({ level: 'emergency', alerts: { items: [alert] } });
  });
});

describe('runtime', () => {
  it('gives the climate, the sensors and the actuators', async () => {
    const { read, house } = await liveHouse();
    const result = read();
    expect(result).toMatchObject({
      facility_uuid: house.unique_id,
      level: 'idle',
      indoor: { temp_c: 25, humidity_pct: 60, co2_ppm: 800 },
      alerts: { level: 'none', items: [] },
    });
    expect(result.indoor.vpd_kpa).toBeCloseTo(1.2677, 3);
    expect(result.indoor.dew_point_c).toBeCloseTo(16.701, 2);
    expect(result.sensors.map((sensor) => [sensor.role, sensor.value, sensor.quality])).toEqual(
      roles.map((role, index) => [role, values[index], 'good']),
    );
    expect(result.actuators.map(({ role, channel, state, quality }) => [role, channel, state, quality])).toEqual([
      ['heater', 0, 'off', 'good'],
      ['roof_vent', 0, 0, 'good'],
    ]);
  });

  it('names the sensor that its neighbours speak against and makes nothing of it', async () => {
    const all = testDevices();
    const inputs = [await all.sensor(), await all.sensor(), await all.sensor()];
    const sensors = inputs.map((input, index) => ({
      ...sensorOf(input, 'indoor_temp', 0),
      name: `Bay ${index + 1}`,
    }));
    const house = all.house({ sensors });
    all.start();
    await all.daemon.polled();
    [20, 29, 21].forEach((value, index) => {
      const { device_id = '', measurement_id = '' } = sensors[index] ?? {};
      const reading = { channel: 0, value, unit: 'C', quality: 'good' as const, time_ms: all.clock.ms };
      all.daemon.emit({ kind: 'measurement', device_id, measurement_id, ...reading });
    });
    await all.daemon.polled();
    const {
      indoor,
      sensors: shown,
      alerts,
    } = runtimeResult.parse(JSON.parse(all.runtime.runtime(house.unique_id).json.toString()));
    expect(indoor.temp_c).toBe(20.5);
    expect(shown.map(({ value, quality }) => [value, quality])).toEqual([
      [20, 'good'],
      [29, 'suspect'],
      [21, 'good'],
    ]);
    expect(alerts.items).toMatchObject([{ code: 'sensor_disagree', name: 'Bay 2', value: 29, role: 'indoor_temp' }]);
    expect(all.runtime.integration(house.unique_id).sensors[1]?.quality).toBe('suspect');
  });

  it('is active while an actuator runs', async () => {
    const { read, drive, ids, daemon } = await liveHouse();
    drive(ids.heater, 'on');
    await daemon.polled();
    expect(read().level).toBe('active');
  });

  it('tells frost by the limit of the site, and since when', async () => {
    const { read, speak, daemon, clock, site, db } = await liveHouse();
    speak(0, 1);
    await daemon.polled();
    const since = new Date(clock.ms).toISOString();
    expect(read()).toMatchObject({
      level: 'emergency',
      alerts: { items: [{ code: 'frost', value: 1, limit: 2, since }] },
    });
    clock.ms += 1000;
    speak(0, 0.5);
    await daemon.polled();
    expect(read()).toMatchObject({ alerts: { items: [{ code: 'frost', value: 0.5, since }] } });
    site.alarm_limits = { ...site.alarm_limits, frost_c: -1, indoor_temp_low_c: null };
    db.prepare("INSERT INTO settings (key, value) VALUES ('alarm_limits', '{}')").run();
    expect(read()).toMatchObject({ level: 'idle', alerts: { items: [] } });
  });

  it('warns when the heater runs with a vent open, and since when', async () => {
    const { read, drive, ids, daemon, clock } = await liveHouse();
    drive(ids.heater, 'on');
    clock.ms += 1000;
    drive(ids.vent, 20);
    await daemon.polled();
    expect(read()).toMatchObject({
      level: 'warning',
      alerts: {
        level: 'warning',
        counts: { info: 0, warning: 1, emergency: 0 },
        items: [{ code: 'heater_and_vent', since: '2026-03-01T06:00:01.000Z', value: 20, limit: 0 }],
      },
    });
  });

  it.each([
    ['both are under test', 'commissioning', 'commissioning', 'active'],
    ['the heater is under test', 'commissioning', 'automatic', 'active'],
    ['the vent is under test', 'manual', 'commissioning', 'active'],
    ['neither is under test', 'manual', 'automatic', 'warning'],
  ] as const)('does not warn of heating with open vents that a check causes: %s', async (_, heater, vent, level) => {
    const { read, drive, ids, daemon } = await liveHouse();
    drive(ids.heater, 'on', heater);
    drive(ids.vent, 20, vent);
    await daemon.polled();
    expect(read().level).toBe(level);
  });

  it('tells during a check what the check does not cause', async () => {
    const { read, speak, drive, ids, daemon } = await liveHouse();
    drive(ids.vent, 20, 'commissioning');
    speak(0, 1);
    const broken = stateOf({ state: null, quality: 'unknown', on_seconds: null, source: 'commissioning' });
    daemon.emit({ kind: 'output', output_id: ids.heater, ...broken, outcome: 'failed', message: 'no answer' });
    daemon.emit({ kind: 'emergency_stop', active: true, since: null, by: 'kim', reason: null });
    await daemon.polled();
    expect(codes(read()).sort()).toEqual(['command_failed', 'emergency_stop', 'frost', 'output_unknown']);
  });

  it('is serialised once and again only after a change that concerns it', async () => {
    const { kept, speak, daemon, clock } = await liveHouse();
    const first = kept();
    clock.ms += 900;
    const other = '00000000-0000-4000-8000-00000000000f';
    daemon.emit({ kind: 'output', output_id: other, ...stateOf({ state: 'on' }), outcome: 'confirmed' });
    await daemon.polled();
    expect(kept()).toBe(first);
    speak(0, 26);
    await daemon.polled();
    expect(kept().etag).not.toBe(first.etag);
  });

  it('sees what another connection changes of the facility', async () => {
    const { kept, db, house, read } = await liveHouse();
    kept();
    const other = openDatabase(db.name);
    other.prepare("UPDATE facilities SET actuators = '[]' WHERE unique_id = ?").run(house.unique_id);
    other.close();
    expect(read().actuators).toEqual([]);
  });

  it('is gone with its facility', async () => {
    const { kept, facilities, house } = await liveHouse();
    kept();
    facilities.remove(grower, house.unique_id);
    expect(kept).toThrow('no such facility');
  });

  it('goes stale after three periods of the sensor without any event', async () => {
    const { kept, read, clock } = await liveHouse();
    const first = kept();
    clock.ms += 2_999;
    expect(kept()).toBe(first);
    clock.ms += 1;
    const result = read();
    expect(result.sensors.map((sensor) => sensor.quality)).toEqual(['stale', 'stale', 'stale']);
    expect(result.indoor).toEqual({
      temp_c: null,
      humidity_pct: null,
      co2_ppm: null,
      vpd_kpa: null,
      dew_point_c: null,
    });
    expect(codes(result)).toEqual(['stale', 'stale', 'stale']);
    expect(result.alerts.items[0]).toMatchObject({ since: '2026-03-01T06:00:03.000Z', value: 3, limit: 3 });
  });

  it.each([365, -365])('goes stale as it would when the clock is set by %i days meanwhile', async (days) => {
    const { kept, read, clock } = await liveHouse();
    const first = kept();
    clock.ms += 2_000 + days * 86_400_000;
    clock.set_ms += days * 86_400_000;
    expect(kept()).toBe(first);
    clock.ms += 1_000;
    const result = read();
    expect(result.sensors.map(({ quality, age_s }) => [quality, age_s])).toEqual(Array(3).fill(['stale', 3]));
    const now = new Date(clock.ms).toISOString();
    expect(result.alerts.items.every(({ since }) => since <= now)).toBe(true);
  });

  it('leaves bad and empty readings out of the climate', async () => {
    const { read, speak, daemon } = await liveHouse();
    speak(0, 99, 'bad');
    speak(1, null);
    await daemon.polled();
    const result = read();
    expect(result.sensors.map((sensor) => sensor.quality)).toEqual(['bad', 'bad', 'good']);
    expect(result.indoor.temp_c).toBeNull();
  });

  it('says that a sensor never spoke once it had time to', async () => {
    const { house, facilities, indoor, read, daemon, speak, clock } = await liveHouse();
    facilities.save(grower, {
      unique_id: house.unique_id,
      sensors: [...house.sensors, sensorOf(indoor, 'indoor_light', 3)],
    });
    expect([read().sensors[3]?.quality, codes(read())]).toEqual(['missing', []]);
    clock.ms += 3_000;
    values.forEach((value, channel) => speak(channel, value));
    await daemon.polled();
    expect(read().alerts.items).toMatchObject([{ code: 'no_data', role: 'indoor_light' }]);
  });

  it('tells in one line each of what nobody has activated, and calls a house unknown of which nothing is active', async () => {
    const { read, db, clock } = await liveHouse();
    db.exec('UPDATE inputs SET is_activated = 0; UPDATE outputs SET is_activated = 0');
    const since = new Date(clock.ms).toISOString();
    const inactive = { code: 'inactive', severity: 'info', unit: 'unit', since };
    const items = [
      { ...inactive, name: 'sensors', value: 3 },
      { ...inactive, name: 'actuators', value: 2 },
    ];
    expect(read()).toMatchObject({ level: 'unknown', alerts: { level: 'info', items } });
    clock.ms += 60_000; // readings are old by now, and that is no fault
    const result = read();
    expect(codes(result)).toEqual(['inactive', 'inactive']);
    expect(result.sensors.map(({ quality }) => quality)).toEqual(['stale', 'stale', 'stale']);
    db.exec('UPDATE outputs SET is_activated = 1');
    expect(read()).toMatchObject({ level: 'idle', alerts: { items: items.slice(0, 1) } });
  });

  it('calls a house unknown, not idle, before the daemon has said anything', async () => {
    const all = testDevices();
    const { outputs } = await all.presets.simulatedGreenhouse(grower, {});
    const actuators = outputs
      .slice(0, 1)
      .map(({ unique_id, name }) => ({ role: 'heater' as const, device_id: unique_id, name }));
    const { json } = all.runtime.runtime(all.house({ actuators }).unique_id);
    expect(JSON.parse(json.toString())).toMatchObject({ level: 'unknown', alerts: { items: [] } });
  });

  it('tells of a controller that failed, once for its device', async () => {
    const { read, daemon, ids } = await liveHouse();
    const failed = { controller_id: ids.indoor, controller_type: 'Input', state: 'failed', reason: 'no wire' } as const;
    daemon.emit({ kind: 'controller', ...failed });
    await daemon.polled();
    const result = read();
    expect(result.sensors.map((sensor) => sensor.quality)).toEqual(['error', 'error', 'error']);
    expect(result.alerts.items).toMatchObject([{ code: 'controller_down', since: '2026-03-01T06:00:00.000Z' }]);
    expect(result.alerts.items[0]?.message).toContain('no wire');
  });

  it('tells of a failed command and of an unknown output', async () => {
    const { read, daemon, ids } = await liveHouse();
    const unknown = stateOf({ state: null, quality: 'unknown', on_seconds: null });
    daemon.emit({ kind: 'output', output_id: ids.heater, ...unknown, outcome: 'failed', message: 'no answer' });
    await daemon.polled();
    expect(codes(read()).sort()).toEqual(['command_failed', 'output_unknown']);
  });

  it('is an emergency without the daemon, told once and not for each output', async () => {
    const { read, daemon, live } = await liveHouse();
    const lost = new Promise<void>((resolve) => {
      live.subscribe((event) => event.kind === 'daemon' && resolve());
    });
    daemon.break();
    await lost;
    const result = read();
    expect([result.level, codes(result)]).toEqual(['emergency', ['daemon_down']]);
    expect(result.actuators.map(({ state, quality }) => [state, quality])).toEqual([
      [null, 'unknown'],
      [null, 'unknown'],
    ]);
  });

  it('shows a binding whose device is gone as unbound', async () => {
    const { read, db, ids } = await liveHouse();
    db.prepare('DELETE FROM outputs WHERE unique_id = ?').run(ids.heater);
    db.prepare('DELETE FROM inputs WHERE unique_id = ?').run(ids.indoor);
    const result = read();
    expect(result.actuators[0]).toMatchObject({ state: null, quality: 'unbound' });
    expect(new Set(result.sensors.map((sensor) => sensor.quality))).toEqual(new Set(['unbound']));
  });
});

describe('integration', () => {
  it('gives every binding its value, age and state now', async () => {
    const { runtime, house, clock, drive, ids, daemon } = await liveHouse();
    drive(ids.heater, 'on');
    await daemon.polled();
    clock.ms += 1_500;
    const result = runtime.integration(house.unique_id);
    expect(result.at).toBe(new Date(devicesStart + 1_500).toISOString());
    expect(result.sensors[0]).toMatchObject({ role: 'indoor_temp', value: 25, unit: 'C', age_s: 1.5, quality: 'good' });
    expect(result.actuators[0]).toMatchObject({ role: 'heater', state: 'on', on_seconds: 1.5 });
  });
});

describe('wind', () => {
  const query = { wind_speed: 3, wind_dir: 0 };

  it('takes the good live temperature, and the long axis of the shape', async () => {
    const { runtime, house } = await liveHouse();
    const result = runtime.wind(house.unique_id, query);
    expect(result.assumptions['indoor_temp']).toMatchObject({ value: 25, source: 'live' });
    expect(result.assumptions['outdoor_temp']).toMatchObject({ value: 20, source: 'default' });
    expect(result.assumptions['orientation_deg']).toMatchObject({ value: 90, source: 'derived' });
  });

  it('takes an orientation of 0 as one', async () => {
    const { runtime, house, facilities } = await liveHouse();
    facilities.save(grower, { unique_id: house.unique_id, view_3d: { orientation_deg: 0 } });
    expect(runtime.wind(house.unique_id, query).assumptions['orientation_deg']).toBeUndefined();
  });
});

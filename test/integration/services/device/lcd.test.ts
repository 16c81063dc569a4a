import { describe, expect, it } from 'vitest';
import { grower, testDevices } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';

describe('LcdService', () => {
  it('makes, changes and deletes a display, and tells the daemon each time', async () => {
    const { lcds, daemon, audited } = testDevices();
    const made = await lcds.create(grower, { name: 'Door', driver: 'virtual' });
    expect(made).toMatchObject({ name: 'Door', options: {}, is_activated: true });
    const changed = await lcds.change(grower, made.unique_id, { options: { rows: 2 } });
    expect(lcds.get(made.unique_id)).toEqual({ ...made, options: { rows: 2 } });
    expect(await lcds.change(grower, made.unique_id, { options: { rows: null } })).toEqual(made);
    expect(changed.options).toEqual({ rows: 2 });
    await lcds.remove(grower, made.unique_id);
    expect(lcds.list()).toEqual([]);
    expect(daemon.told).toEqual(Array(4).fill(`controller_refresh ${made.unique_id}`));
    expect(audited.map(({ kind }) => kind)).toEqual(['lcd.create', 'lcd.change', 'lcd.change', 'lcd.delete']);
  });

  it('refuses other drivers and lines of what is not there', async () => {
    const { lcds, sensor } = testDevices();
    const { unique_id: device_id } = await sensor();
    expect((await refusalOf(lcds.create(grower, { name: 'Door', driver: 'modbus' }))).code).toBe('unknown_reference');
    const line = { kind: 'measurement', device_id, measurement_id: device_id, label: 'Air' };
    const refusal = await refusalOf(
      lcds.create(grower, { name: 'Door', driver: 'virtual', options: { line_sets: [[line]] } }),
    );
    expect(refusal.errors?.[0]?.path).toBe('options.line_sets[0][0].measurement_id');
  });

  it('keeps an input that a display shows', async () => {
    const { lcds, inputs, sensor } = testDevices();
    const { unique_id: device_id, channels } = await sensor();
    const line = { kind: 'measurement', device_id, measurement_id: channels[0]?.measurement_id ?? '', label: 'Air' };
    const options = { line_sets: [[line]] };
    const { unique_id } = await lcds.create(grower, { name: 'Door', driver: 'virtual', options });
    const refusal = await refusalOf(inputs.remove(grower, device_id));
    expect([refusal.code, refusal.members['users']]).toEqual(['in_use', [{ kind: 'lcd', unique_id, name: 'Door' }]]);
    await lcds.remove(grower, unique_id);
    await inputs.remove(grower, device_id);
  });

  it('shows what the daemon says that it shows', async () => {
    const { lcds, live, daemon, controllers } = testDevices();
    const { unique_id: lcd_id } = await lcds.create(grower, { name: 'Door', driver: 'virtual' });
    expect(lcds.getLive(lcd_id).display).toBeNull();
    live.start();
    await daemon.polled();
    const display = { lcd_id, lines: ['21 C'], line_set: 0, backlight: true, color: null, flash: false };
    daemon.emit({ kind: 'lcd', ...display });
    await daemon.polled();
    expect(lcds.getLive(lcd_id).display).toEqual(display);
    expect(await controllers.commandLcd(grower, lcd_id, { flash: true })).toMatchObject({ lcd_id });
    expect(daemon.told.at(-1)).toBe(`lcd_flash ${lcd_id} true`);
  });
});

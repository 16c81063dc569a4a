import { describe, expect, it } from 'vitest';
import type { Lcd, LcdDisplay } from '../../../../server/contract/lcd.ts';
import { LcdController } from '../../../../server/daemon/controllers/lcd/lcd.ts';
import { DriverError } from '../../../../server/daemon/drivers/driver.ts';
import { EventRing } from '../../../../server/daemon/events/events.ts';
import { LiveValues } from '../../../../server/daemon/events/live-values.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { noWatchdog } from '../../../support/outputs-site.ts';

const text = (words: string) => [{ kind: 'text', text: words }];
const lcd: Lcd = {
  unique_id: '00000000-0000-4000-8000-000000000001',
  name: 'door',
  driver: 'virtual',
  options: { columns: 8, rows: 1, line_set_s: 5, line_sets: [text('one'), text('two')] },
  is_activated: true,
};

function bench() {
  const clock = new ManualClock();
  const told: LcdDisplay[] = [];
  const device = { isBroken: false, connections: 0 };
  const controller = new LcdController(lcd, {
    clock,
    watchdog: noWatchdog,
    live: new LiveValues(clock, new EventRing(clock)),
    timeZone: () => 'UTC',
    connect: async () => {
      device.connections += 1;
      const show = async () => {
        if (device.isBroken) throw new DriverError('unreachable', 'the display is silent');
      };
      return { show, close: async () => undefined };
    },
    shown: (display) => void told.push(display),
    statusChanged: () => undefined,
  });
  controller.start();
  return { clock, controller, device, told };
}

describe('a display', () => {
  it('shows its line sets in turn and tells only what changed', async () => {
    const { clock, told } = bench();
    await clock.advance(16_000);
    expect(told.map(({ lines }) => lines[0]?.trim())).toEqual(['one', 'two', 'one', 'two']);
  });

  it('keeps its light over changed settings and begins anew after a reset', async () => {
    const { clock, controller, device } = bench();
    await clock.advance(6_000);
    await controller.light({ backlight: false, flash: true });
    await controller.light({ color: '#00ff00' });
    await controller.reconfigure({ ...lcd, options: { ...lcd.options, line_sets: [text('three'), text('four')] } });
    await clock.advance(1_000);
    const light = { backlight: false, flash: true, color: '#00ff00' };
    expect(controller.display).toMatchObject({ lines: ['four    '], line_set: 1, ...light });
    expect(device.connections).toBe(1);
    await controller.reset();
    expect(controller.display).toMatchObject({ line_set: 0, backlight: true, flash: false, color: null });
    expect(device.connections).toBe(2);
  });

  it('says why it shows nothing, and writes again what it should show when it is back', async () => {
    const { clock, controller, device, told } = bench();
    await clock.advance(1_000);
    device.isBroken = true;
    await expect(controller.light({ flash: true })).rejects.toThrow('silent');
    await clock.advance(1_000);
    expect(controller.status()).toMatchObject({ state: 'failed', reason: 'the display is silent' });
    device.isBroken = false;
    await clock.advance(1_000);
    expect(controller.status().state).toBe('running');
    expect(told.at(-1)).toMatchObject({ flash: true });
  });
});

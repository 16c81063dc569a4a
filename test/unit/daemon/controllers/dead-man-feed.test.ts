import { describe, expect, it } from 'vitest';
import type { OutputChannel } from '../../../../server/contract/output.ts';
import { DriverError, type Device, type OutputValue } from '../../../../server/daemon/drivers/driver.ts';
import { withDeadMan } from '../../../../server/daemon/drivers/simulated/dead-man.ts';
import { heaterId, simulatedOutput } from '../../../support/daemon-site.ts';
import { outputsSite } from '../../../support/outputs-site.ts';

const timer_s = 6;

/** A heater whose device falls to off by itself when it is not fed for six seconds. */
async function fedHeater(settings: Partial<OutputChannel> = {}, canReadBack = true) {
  const line = { isCut: false, hangs: false, hasTimer: true, feeds: 0 };
  const device = { value: 'off' as OutputValue };
  const reach = (): void => {
    if (line.isCut) throw new DriverError('unreachable', 'the line is cut');
  };
  const heater: Device = {
    write: async (_channel, value) => {
      reach();
      device.value = value;
      return { acknowledged: true };
    },
    ...(canReadBack && {
      readState: async () => {
        reach();
        return new Map([[0, device.value]]);
      },
    }),
    close: async () => undefined,
  };
  const site = outputsSite({ connect: async () => onLine(heater) });
  /** The device's own timer runs whatever becomes of the line. */
  const onLine = (inner: Device): Device => {
    const fallsBy = { ...inner, write: async () => ((device.value = 'off'), { acknowledged: true }) };
    const { dead_man } = withDeadMan(fallsBy, timer_s, site.clock);
    if (dead_man === undefined || !line.hasTimer) return inner;
    const feed = async (signal: AbortSignal): Promise<void> => {
      if (line.hangs) return new Promise(() => undefined);
      reach();
      line.feeds += 1;
      await dead_man.feed(signal);
    };
    return { ...inner, dead_man: { ...dead_man, feed } };
  };
  const output = simulatedOutput(heaterId, 'heater', settings);
  await site.start([output]);
  await site.clock.advance(1_000); // the first feed
  const alarm = () => site.alarms.list().find(({ code }) => code === 'dead_man');
  const on = () => site.outputs.command({ output_id: heaterId, state: true, actor: 'kim' });
  const rewireWithoutTimer = async (): Promise<void> => {
    line.hasTimer = false;
    await site.outputs.reconfigure({ ...output, options: { part: 'switch' } });
  };
  return { ...site, alarm, device, line, on, rewireWithoutTimer };
}

describe('a device with a dead-man timer', () => {
  it('is fed three times as often as it must be and goes on', async () => {
    const { alarm, clock, device, line, on } = await fedHeater();
    expect(await on()).toMatchObject({ outcome: 'confirmed' });
    const before = line.feeds;
    await clock.advance(60_000);
    expect(line.feeds - before).toBe(30);
    expect(device.value).toBe('on');
    expect(alarm()).toBeUndefined();
  });

  it('calls for somebody as soon as it is not fed, until it is again', async () => {
    const { alarm, alarms, clock, device, line } = await fedHeater();
    line.isCut = true;
    await clock.advance(2_000);
    expect(alarm()).toMatchObject({ is_raised: true, limit: timer_s, message: 'the line is cut', source_id: heaterId });
    line.isCut = false;
    await clock.advance(2_000);
    expect(device.value).toBe('off');
    await clock.advance(5_000);
    alarms.tick();
    expect(alarm()?.is_raised).toBe(false);
  });

  it.each([true, false])(
    'that fell safe is not taken for on, and goes on again when it is fed (reads back: %s)',
    async (canReadBack) => {
      const { clock, device, line, on, stateOf } = await fedHeater({}, canReadBack);
      await on();
      line.isCut = true;
      await clock.advance(8_000);
      expect(device.value).toBe('off');
      expect(stateOf(heaterId)).toBeNull();
      line.isCut = false;
      await clock.advance(2_000);
      expect(device.value).toBe('on');
      expect(stateOf(heaterId)).toBe('on');
    },
  );

  it('that fell safe rests before it goes on again', async () => {
    const { clock, device, line, on } = await fedHeater({ min_off_s: 60 });
    await on();
    line.isCut = true;
    await clock.advance(8_000);
    line.isCut = false;
    await clock.advance(30_000);
    expect(device.value).toBe('off');
    await clock.advance(40_000);
    expect(device.value).toBe('on');
  });

  it('that is wired anew to one without a timer calls for nobody', async () => {
    const { alarm, alarms, clock, line, rewireWithoutTimer } = await fedHeater();
    line.isCut = true;
    await clock.advance(2_000);
    expect(alarm()).toMatchObject({ is_raised: true });
    await rewireWithoutTimer();
    await clock.advance(10_000);
    alarms.tick();
    expect(alarm()?.is_raised).toBe(false);
  });

  it('calls for nobody where its end cuts off a feed, and is not waited for', async () => {
    const { alarm, clock, line, outputs } = await fedHeater();
    line.hangs = true;
    await clock.advance(2_000); // a feed is under way
    await outputs.deactivate(heaterId);
    await clock.advance(10_000);
    expect(alarm()).toBeUndefined();
  });

  it('is no longer fed once it is let go', async () => {
    const { clock, line, outputs } = await fedHeater();
    await outputs.deactivate(heaterId);
    const before = line.feeds;
    await clock.advance(60_000);
    expect(line.feeds).toBe(before);
  });
});

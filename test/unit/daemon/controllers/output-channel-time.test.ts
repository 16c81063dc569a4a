import { describe, expect, it } from 'vitest';
import type { ChannelCommand } from '../../../../server/daemon/controllers/output/channel-demand.ts';
import { toChannelCommand } from '../../../../server/daemon/controllers/output/output-request.ts';
import { benchOutputId, runningBench as running } from '../../../support/output-bench.ts';

const on: ChannelCommand = { source: 'manual', actor: 'kim', value: 'on', hold: 'next_command' };
const off: ChannelCommand = { ...on, value: 'off' };
const automaticOn: ChannelCommand = { ...on, source: 'automatic', actor: 'pyro' };

describe('time of a channel', () => {
  it('turns off by itself after the duration', async () => {
    const { channel, actuator, clock } = await running();
    await channel.command({ ...on, duration_s: 60 });
    await clock.advance(59_999);
    expect(channel.state()).toMatchObject({ state: 'on', on_seconds: 59.999 });
    await clock.advance(1);
    expect(channel.state()).toMatchObject({ state: 'off', on_seconds: 0, until: null });
    expect(actuator.written).toEqual(['on', 'off']);
  });

  it('stays off for min_off after it was on, and says for how long', async () => {
    const { channel, clock } = await running({ settings: { min_off_s: 120 } });
    await channel.command(on);
    await channel.command(off);
    expect(await channel.command(on)).toMatchObject({ outcome: 'blocked', code: 'min_off' });
    await clock.advance(119_000);
    expect((await channel.command(on)).message).toBe('it must stay off for 1 s more');
    expect(channel.state().off_until).toBe(new Date(clock.now() + 1_000).toISOString());
    await clock.advance(1_000);
    expect(channel.state().off_until).toBeNull();
    expect(await channel.command(on)).toMatchObject({ outcome: 'confirmed' });
  });

  it('tells the end of an override from the end of what it asks for', async () => {
    const { channel, clock } = await running();
    await channel.command({ ...on, duration_s: 30, hold: clock.elapsed() + 60_000 });
    const at = (ms: number): string => new Date(clock.now() + ms).toISOString();
    expect(channel.state()).toMatchObject({ until: at(30_000), override_until: at(60_000), off_until: null });
    await channel.command({ ...on, duration_s: 30 });
    expect(channel.state()).toMatchObject({ until: at(30_000), override_until: null });
  });

  it.each([
    ['ISO 8601', '2026-01-15T13:00:00.001Z'],
    ['epoch ms', Date.UTC(2026, 0, 15, 13, 0, 0, 1)],
  ])(
    'tells and stores the end of an override to the millisecond that was asked for, in %s',
    async (_, override_until) => {
      const { channel, clock, row } = await running();
      const settings = { ...channel.settings };
      const command = { output_id: benchOutputId, state: true, override_until };
      await channel.command(toChannelCommand(command, { channel: settings, clock, hold_s: undefined }));
      for (const tick of [0.9, -1.7]) {
        clock.setTimeOfDay(clock.now() - tick); // clock and counter tick apart
        await channel.command({ ...automaticOn, keep: 'for_a_while' });
        expect(channel.state().override_until).toBe('2026-01-15T13:00:00.001Z');
        expect(row()?.override_until_ms).toBe(Date.UTC(2026, 0, 15, 13, 0, 0, 1));
      }
      clock.setTimeOfDay(clock.now() + 3_600_000);
      expect(channel.state().override_until?.slice(0, 16)).toBe('2026-01-15T14:00');
    },
  );

  it('takes the longer min_off of command and channel', async () => {
    const { channel, clock } = await running({ settings: { min_off_s: 10 } });
    await channel.command({ ...on, min_off_s: 300 });
    await channel.command(off);
    await clock.advance(299_000);
    expect(await channel.command(on)).toMatchObject({ code: 'min_off' });
    await clock.advance(1_000);
    expect(await channel.command({ ...on, min_off_s: 1 })).toMatchObject({ outcome: 'confirmed' });
    await channel.command(off);
    await clock.advance(9_000);
    expect(await channel.command(on)).toMatchObject({ code: 'min_off' });
  });

  it('keeps the min_off of a command that waited for a stronger one to end', async () => {
    const { channel, clock } = await running();
    await channel.command({ ...off, hold: clock.elapsed() + 60_000 });
    const kept = await channel.command({ ...automaticOn, min_off_s: 300, keep: 'for_a_while' });
    expect(kept).toMatchObject({ outcome: 'pending', code: 'overridden' });
    await clock.advance(60_000);
    expect(channel.state()).toMatchObject({ state: 'on', source: 'automatic' });
    await channel.command({ ...automaticOn, value: 'off' });
    await clock.advance(299_000);
    expect(await channel.command(automaticOn)).toMatchObject({ code: 'min_off' });
    await clock.advance(1_000);
    expect(await channel.command(automaticOn)).toMatchObject({ outcome: 'confirmed' });
  });

  it('ends the longest on time, however often it is turned on anew', async () => {
    const { channel, clock } = await running({ settings: { max_on_s: 100 } });
    await channel.command(on);
    await clock.advance(60_000);
    await channel.command(on);
    await clock.advance(40_000);
    expect(channel.state().state).toBe('off');
  });

  it('goes off at once where the longest on time is lowered below what it was on', async () => {
    const { channel, clock } = await running({ settings: { max_on_s: 100 } });
    await channel.command(on);
    await clock.advance(60_000);
    channel.reconfigure({ ...channel.settings, max_on_s: 70 });
    await clock.advance(0);
    expect(channel.state().state).toBe('on');
    channel.reconfigure({ ...channel.settings, max_on_s: 30 });
    await clock.advance(0);
    expect(channel.state()).toMatchObject({ state: 'off' });
  });

  it('is not moved by a clock that is set', async () => {
    const { channel, clock } = await running();
    await channel.command({ ...on, duration_s: 60 });
    clock.setTimeOfDay(Date.UTC(2031, 0, 1));
    await clock.advance(59_000);
    expect(channel.state().state).toBe('on');
    await clock.advance(1_000);
    expect(channel.state().state).toBe('off');
  });
});

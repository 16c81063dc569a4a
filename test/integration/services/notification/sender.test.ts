import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { alarmBench, condition } from '../../../support/alarm-bench.ts';
import { broker, notificationSite as site } from '../../../support/notification-site.ts';

describe('an alarm', () => {
  describe('that the daemon is away', () => {
    const told = '[Farm] Emergency: Control service down · The control service';

    function withoutDaemon() {
      const made = site();
      const { alarms } = alarmBench();
      alarms.raise(
        condition({ code: 'daemon_down', severity: 'emergency', source_kind: 'daemon', source_id: 'daemon' }),
      );
      made.target();
      const raised_at = new Date(made.time.ms).toISOString();
      made.now.push(...alarms.list().map((one) => ({ ...one, raised_at })));
      return made;
    }

    it('is told once when it lasts', async () => {
      const { look, said, pass } = withoutDaemon();
      await look();
      pass(30);
      await look();
      expect(said()).toEqual([]);
      pass(1);
      await look();
      await look();
      expect(said()).toEqual([told]);
    });

    it('is told as soon when the clock was set back', async () => {
      const { look, said, pass, set } = withoutDaemon();
      await look();
      set(-3_600);
      pass(31);
      await look();
      expect(said()).toEqual([told]);
    });

    it('is told once the disk takes it', async () => {
      const { look, said, pass, out } = withoutDaemon();
      await look();
      out.isFull = true;
      pass(31);
      await expect(look()).rejects.toThrow('disk is full');
      out.isFull = false;
      await look();
      expect(said()).toEqual([told]);
    });
  });

  it('is told again in time although the disk refused it once', async () => {
    const { target, look, said, alarms, now, pass, out } = site();
    target({ repeat_min: 10 });
    await look();
    await look(condition({ source_name: 'V' }));
    now.push(...alarms.list());
    await look();
    pass(601);
    out.isFull = true;
    await expect(look()).rejects.toThrow('disk is full');
    out.isFull = false;
    await look();
    expect(said()).toHaveLength(2);
  });

  it('is not told twice when the disk took the alarm but not its receipt', async () => {
    const { target, look, said, out, warnings, rows } = site();
    const { unique_id } = target({ options: { ...broker, topic: 'fills' } });
    await look();
    await look(condition());
    expect(warnings).toEqual(['it was not noted yet how a message was taken: database or disk is full']);
    await expect(look()).rejects.toThrow('disk is full');
    out.isFull = false;
    await look();
    expect([said().length, rows.waiting(unique_id, 10)]).toEqual([1, []]);
  });

  it('that a full disk refuses is logged once, and again after the disk took something', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { start, out, warnings } = site();
    onTestFinished(start());
    out.isFull = true;
    vi.advanceTimersByTime(20_000);
    expect(warnings).toHaveLength(1);
    out.isFull = false;
    vi.advanceTimersByTime(2_000);
    out.isFull = true;
    vi.advanceTimersByTime(20_000);
    expect(warnings).toHaveLength(2);
  });
});

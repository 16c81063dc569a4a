// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h, shallowRef, type ShallowRef } from 'vue';
import { useCommandEnd } from '../../../../../renderer/features/devices/use-command-end.ts';
import type { CommandAnswer, Wanted } from '../../../../../renderer/features/devices/output-command.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import type { LiveOutput } from '../../../../../renderer/stores/live/devices.ts';
import { useCommand, type Command } from '../../../../../renderer/ui/command.ts';
import { mounted } from '../../ui/mounted.ts';

const closed: LiveOutput = {
  channel: 0,
  state: 'off',
  contact: null,
  quality: 'good',
  source: 'automatic',
  actor: null,
  reason: null,
  rule: null,
  wanted: null,
  until: null,
  override_until: null,
  off_until: null,
  on_seconds: 0,
  changed_at: '2026-03-01T06:00:00.000Z',
  pending: false,
};
const sending: LiveOutput = { ...closed, source: 'manual', pending: true };
const opened: LiveOutput = { ...sending, pending: false, state: 40, changed_at: '2026-03-01T06:00:09.000Z' };
const doubtful: LiveOutput = { ...closed, state: null, quality: 'unknown', changed_at: '2026-03-01T06:00:05.000Z' };
const wanted: Wanted = { state: true, position_pct: 40 };

interface Bench {
  command: Command<Wanted>;
  known: ShallowRef<LiveOutput | undefined>;
  answer: (said: CommandAnswer) => Promise<void>;
}

/** A command that was sent to a closed channel. */
function sent(): Bench {
  const known = shallowRef<LiveOutput | undefined>(closed);
  const asked = Promise.withResolvers<CommandAnswer>();
  let command: Command<Wanted> | undefined;
  const host = defineComponent({
    setup() {
      command = useCommand<Wanted>(() => asked.promise);
      useCommandEnd(command, () => known.value);
      return () => h('i');
    },
  });
  mounted(host, {});
  if (command === undefined) throw new Error('the host was not set up');
  const done = command.send(wanted);
  return {
    command,
    known,
    answer: (said) => {
      asked.resolve(said);
      return done;
    },
  };
}

const waiting: CommandAnswer = { outcome: 'pending', code: 'waiting', message: '' };

describe('what is said of a command ends with its cause', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('a slow device confirms after the answer', async () => {
    const { command, known, answer } = sent();
    known.value = sending;
    await answer(waiting);
    expect(command.phase.value).toBe('pending');
    known.value = { ...opened, outcome: 'confirmed', requested: 40 };
    known.value = { ...opened, wanted: 20 };
    expect(command.phase.value).toBe('confirmed');
    vi.advanceTimersByTime(4_000);
    expect(command.phase.value).toBe('idle');
  });

  it('a slow device refuses after the answer', async () => {
    const { command, known, answer } = sent();
    known.value = sending;
    await answer(waiting);
    known.value = { ...closed, outcome: 'failed', code: 'unreachable', requested: 40 };
    expect([command.phase.value, command.message.value]).toEqual(['failed', en.ui.result.unreachable]);
  });

  it('the stream is ahead of the answer', async () => {
    const { command, known, answer } = sent();
    known.value = sending;
    known.value = { ...opened, outcome: 'confirmed', requested: 40 };
    known.value = { ...opened };
    await answer(waiting);
    expect(command.phase.value).toBe('confirmed');
  });

  it('the stream is behind the answer, or began anew without the result', async () => {
    const { command, known, answer } = sent();
    await answer(waiting);
    known.value = sending;
    expect(command.phase.value).toBe('pending');
    known.value = opened;
    expect(command.phase.value).toBe('idle');
  });

  it('the result of another command is not that of this one', async () => {
    const { command, known, answer } = sent();
    known.value = sending;
    await answer(waiting);
    known.value = { ...sending, outcome: 'blocked', code: 'wind', requested: 100 };
    expect(command.phase.value).toBe('pending');
  });

  it('a state is known again', async () => {
    const { command, known, answer } = sent();
    await answer({ outcome: 'unknown', code: 'timed_out', message: '' });
    known.value = { ...doubtful, outcome: 'unknown', requested: 40 };
    known.value = { ...doubtful, pending: true };
    expect(command.phase.value).toBe('unknown');
    known.value = opened;
    expect([command.phase.value, command.message.value]).toEqual(['idle', '']);
  });

  it('a rule no longer holds', async () => {
    const { command, known, answer } = sent();
    known.value = { ...closed, rule: 'wind' };
    await answer({ outcome: 'blocked', code: 'wind', message: '' });
    known.value = { ...closed, rule: 'wind', outcome: 'blocked', requested: 40 };
    expect(command.phase.value).toBe('blocked');
    known.value = closed;
    expect(command.phase.value).toBe('idle');
  });

  it('a refusal by a rule that the state does not name is not said for hours', async () => {
    const { command, answer } = sent();
    await answer({ outcome: 'blocked', code: 'interlock', message: '' });
    vi.advanceTimersByTime(540_000);
    expect(command.phase.value).toBe('blocked');
    vi.advanceTimersByTime(60_000);
    expect(command.phase.value).toBe('idle');
  });

  it('its minimum off time is over', async () => {
    const { command, known, answer } = sent();
    known.value = { ...closed, off_until: new Date(Date.now() + 90_000).toISOString() };
    await answer({ outcome: 'blocked', code: 'min_off', message: '' });
    vi.advanceTimersByTime(89_000);
    expect(command.phase.value).toBe('blocked');
    vi.advanceTimersByTime(2_000);
    expect(command.phase.value).toBe('idle');
  });

  it('somebody switched it since it failed; the failure itself is no change', async () => {
    const { command, known, answer } = sent();
    await answer({ outcome: 'failed', code: 'unreachable', message: '' });
    known.value = { ...doubtful, outcome: 'failed', requested: 40 };
    expect(command.phase.value).toBe('failed');
    known.value = { ...doubtful, actor: 'kim' };
    expect(command.phase.value).toBe('failed');
    known.value = opened;
    expect(command.phase.value).toBe('idle');
  });

  it('the control service tried it again by itself, and the device did it', async () => {
    const { command, known, answer } = sent();
    await answer({ outcome: 'failed', code: 'unreachable', message: '' });
    known.value = { ...doubtful, outcome: 'failed', requested: 40 };
    known.value = { ...doubtful, outcome: 'failed', requested: 40 };
    expect(command.phase.value).toBe('failed');
    known.value = { ...opened, outcome: 'confirmed', requested: 40 };
    expect(command.phase.value).toBe('idle');
  });

  it('a kept command has run or was taken back', async () => {
    const { command, known, answer } = sent();
    const kept = { value: 40, source: 'manual', actor: 'kim', reason: null, until: null } as const;
    known.value = { ...closed, kept };
    await answer({ outcome: 'pending', code: 'wind', message: '' });
    expect(command.phase.value).toBe('kept');
    known.value = opened;
    expect(command.phase.value).toBe('idle');
  });
});

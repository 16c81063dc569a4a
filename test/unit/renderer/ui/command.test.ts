// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { ApiError } from '../../../../renderer/client/api-error.ts';
import { en } from '../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../renderer/i18n/index.ts';
import { reasonOf, useCommand, type Command } from '../../../../renderer/ui/command.ts';
import { mounted } from './mounted.ts';

type Answer = Awaited<ReturnType<Parameters<typeof useCommand<boolean>>[0]>>;

interface Asked {
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

function commandUnderTest(): { command: Command<boolean>; asked: Asked[] } {
  const asked: Asked[] = [];
  let command: Command<boolean> | undefined;
  const host = defineComponent({
    setup() {
      command = useCommand<boolean>(() => new Promise((resolve, reject) => asked.push({ resolve, reject })));
      return () => h('i');
    },
  });
  mounted(host, {});
  if (command === undefined) throw new Error('the host was not set up');
  return { command, asked };
}

describe('useCommand', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is requested until the server answers, then shows confirmed for a moment', async () => {
    const { command, asked } = commandUnderTest();
    const sent = command.send(true);
    expect([command.phase.value, command.wanted.value]).toEqual(['requested', true]);
    asked[0]?.resolve({ outcome: 'confirmed', message: 'done' });
    await sent;
    expect(command.phase.value).toBe('confirmed');
    vi.advanceTimersByTime(4_000);
    expect(command.phase.value).toBe('idle');
  });

  it('is unknown while a server that is frozen does not answer, until it does', async () => {
    const { command, asked } = commandUnderTest();
    const sent = command.send(true);
    vi.advanceTimersByTime(29_000);
    expect(command.phase.value).toBe('requested');
    vi.advanceTimersByTime(2_000);
    expect([command.phase.value, command.message.value]).toEqual(['unknown', en.ui.noAnswer]);
    asked[0]?.resolve({ outcome: 'confirmed', message: 'done' });
    await sent;
    expect([command.phase.value, command.message.value]).toEqual(['confirmed', '']);
  });

  it('says nothing of a silent command after a later one', async () => {
    const { command, asked } = commandUnderTest();
    void command.send(true);
    vi.advanceTimersByTime(20_000);
    const later = command.send(false);
    asked[1]?.resolve({ outcome: 'failed', message: 'said the device' });
    await later;
    vi.advanceTimersByTime(20_000);
    expect(command.phase.value).toBe('failed');
  });

  it.each(['pending', 'unknown', 'failed', 'blocked'] as const)('keeps %s with what was said', async (outcome) => {
    const { command, asked } = commandUnderTest();
    const sent = command.send(true);
    asked[0]?.resolve({ outcome, message: 'said the device' });
    await sent;
    vi.advanceTimersByTime(60_000);
    expect([command.phase.value, command.message.value]).toEqual([outcome, 'said the device']);
  });

  it.each([
    ['blocked', 'blocked'],
    ['command_unknown', 'unknown'],
    ['network', 'unknown'],
    ['command_failed', 'failed'],
    ['forbidden', 'failed'],
  ] as const)('a refusal with %s ends as %s', async (code, phase) => {
    const { command, asked } = commandUnderTest();
    const sent = command.send(true);
    asked[0]?.reject(new ApiError(code, 'x', {}));
    await sent;
    expect(command.phase.value).toBe(phase);
    expect(command.message.value).not.toBe('');
  });

  it('lets a late answer of an earlier command change nothing', async () => {
    const { command, asked } = commandUnderTest();
    const first = command.send(true);
    const second = command.send(false);
    asked[1]?.resolve({ outcome: 'confirmed', message: '' });
    await second;
    asked[0]?.resolve({ outcome: 'failed', message: 'late' });
    await first;
    expect([command.phase.value, command.wanted.value, command.message.value]).toEqual(['confirmed', false, '']);
  });
});

describe('reasonOf', () => {
  const { t } = createTranslations(en).global;

  it.each([
    [{ code: 'wind', message: 'the wind is above the limit of 10.8 m/s' }, 'Held closed: wind'],
    [{ code: 'overridden', message: 'the command of kim (manual) holds' }, 'a command of higher priority holds it'],
    [{ code: 'refused', message: 'illegal data address' }, 'the device refused the command (illegal data address)'],
    [{ code: 'unreachable', message: '' }, 'the device cannot be reached'],
    [{ code: 'something newer', message: 'as it says' }, 'as it says'],
    [{ message: 'as it says' }, 'as it says'],
  ])('of %j is %s', (answer, said) => expect(reasonOf(answer, t)).toBe(said));
});

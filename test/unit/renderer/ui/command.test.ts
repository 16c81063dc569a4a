// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { ApiError } from '../../../../renderer/client/api-error.ts';
import { useCommand } from '../../../../renderer/ui/command.ts';
import type { Command } from '../../../../renderer/ui/command.ts';
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

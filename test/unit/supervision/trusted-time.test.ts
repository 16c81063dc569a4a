import { expect, it } from 'vitest';
import { TrustedTime } from '../../../server/supervision/trusted-time.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 0, 15, 12);

function setUp(trusted_at: string | undefined) {
  const time = { now: start, elapsed: 0 };
  const trusted = new TrustedTime({ now: () => time.now, elapsed: () => time.elapsed });
  const daemon = { daemon_status: async () => ({ trusted_at }), close: () => undefined };
  return { time, trusted, daemon };
}

it('makes nothing old before the daemon has vouched for a time', async () => {
  const { trusted, daemon } = setUp(undefined);
  expect(trusted.now()).toBe(0);
  await trusted.start(daemon);
  expect(trusted.now()).toBe(0);
  trusted.stop();
});

it('goes on as time passes, and not as the clock is set', async () => {
  const { time, trusted, daemon } = setUp(new Date(start).toISOString());
  await trusted.start(daemon);
  Object.assign(time, { now: start + 400 * day, elapsed: day });
  expect(trusted.now()).toBe(start + day);
  Object.assign(time, { now: start - 400 * day });
  expect(trusted.now()).toBe(start - 400 * day);
  trusted.stop();
});

it('is unharmed by a daemon that cannot be asked', async () => {
  const { trusted } = setUp(undefined);
  await trusted.start({ daemon_status: () => Promise.reject(new Error('away')), close: () => undefined });
  expect(trusted.now()).toBe(0);
  trusted.stop();
});

import { runDaemon } from '../../server/daemon/process.ts';
import type { Clock } from '../../server/daemon/clock.ts';

/** Entry of a daemon whose clock runs faster than the world's: FAST_CLOCK is the epoch ms of its beginning, of the world's then, and the speed. */
const [beganMs = 0, worldMs = 0, speed = 1] = (process.env['FAST_CLOCK'] ?? '').split(' ').map(Number);

const fast: Clock = {
  now: () => beganMs + (Date.now() - worldMs) * speed,
  elapsed: () => performance.now() * speed,
  after: (delayMs, run) => {
    const timer = setTimeout(run, Math.max(0, delayMs) / speed);
    return { cancel: () => clearTimeout(timer) };
  },
};

runDaemon(fast);

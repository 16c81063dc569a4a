import { runDaemon } from '../../server/daemon/process.ts';
import type { Clock } from '../../server/daemon/clock.ts';

/**
 * Entry of a daemon whose clock runs faster than the world's, from the moment on at which it begins: FAST_CLOCK is the epoch ms that it
 * shows then, and the speed. It tells whoever started it the world's time of that moment.
 */
const [beganMs = 0, speed = 1] = (process.env['FAST_CLOCK'] ?? '').split(' ').map(Number);
const worldMs = Date.now();
process.send?.({ kind: 'began', world_ms: worldMs });

const fast: Clock = {
  now: () => beganMs + (Date.now() - worldMs) * speed,
  elapsed: () => performance.now() * speed,
  after: (delayMs, run) => {
    const timer = setTimeout(run, Math.max(0, delayMs) / speed);
    return { cancel: () => clearTimeout(timer) };
  },
};

runDaemon(fast);

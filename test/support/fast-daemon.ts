import { runDaemon } from '../../server/daemon/process.ts';
import type { Clock, Timer } from '../../server/daemon/clock.ts';

/**
 * Entry of a daemon whose clock runs faster than the world's once it is told `go`: a start takes as long as it takes. FAST_CLOCK is the
 * epoch ms that it shows at its beginning, and the speed. It tells whoever started it the world's time of both.
 */
const [beganMs = 0, speed = 1] = (process.env['FAST_CLOCK'] ?? '').split(' ').map(Number);
const worldMs = Date.now();
const started = performance.now();
let wentAt = Infinity;
const waiting = new Map<symbol, { dueMs: number; run: () => void; timeout: NodeJS.Timeout }>();

const passedMs = (): number => {
  const now = performance.now();
  return Math.min(now, wentAt) - started + Math.max(0, now - wentAt) * speed;
};

function wait(key: symbol, dueMs: number, run: () => void): void {
  const left = Math.max(0, dueMs - passedMs()) / (wentAt === Infinity ? 1 : speed);
  const timeout = setTimeout(() => {
    waiting.delete(key);
    run();
  }, left);
  waiting.set(key, { dueMs, run, timeout });
}

const fast: Clock = {
  now: () => beganMs + passedMs(),
  elapsed: passedMs,
  after: (delayMs, run): Timer => {
    const key = Symbol('timer');
    wait(key, passedMs() + delayMs, run);
    return {
      cancel: () => {
        clearTimeout(waiting.get(key)?.timeout);
        waiting.delete(key);
      },
    };
  },
};

process.on('message', (told: { kind?: string }) => {
  if (told.kind !== 'go') return;
  wentAt = performance.now();
  for (const [key, { dueMs, run, timeout }] of [...waiting]) {
    clearTimeout(timeout);
    wait(key, dueMs, run);
  }
  process.send?.({ kind: 'went', world_ms: Date.now() });
});
process.send?.({ kind: 'began', world_ms: worldMs });

runDaemon(fast);

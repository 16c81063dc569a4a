import type { Socket } from 'node:net';
import { isLoopback } from '../auth/lock-out.ts';
import { addressGroup } from './address-group.ts';
import { Pace } from './pace.ts';

const nowMs = (): number => performance.now();

/**
 * Limits the rate of TLS handshakes, as one takes a millisecond or more of the serving thread: faster ones from an
 * address wait. Programs of this machine have their own pace, which no other machine slows down, and wait at most a
 * second.
 */
export class HandshakePace {
  readonly #ofOthers = new Pace({ perSecond: 20, atOnce: 40, longestMs: 5_000, now_ms: nowMs });
  readonly #ofLoopback = new Pace({ perSecond: 100, atOnce: 100, longestMs: 1_000, now_ms: nowMs });

  /** Calls `begin` in the connection's turn; never if it has gone meanwhile. */
  when(socket: Socket, begin: () => void): void {
    const address = socket.remoteAddress ?? '';
    const waitMs = isLoopback(address) ? this.#ofLoopback.take('') : this.#ofOthers.take(addressGroup(address));
    if (waitMs === 0) {
      begin();
      return;
    }
    const timer = setTimeout(() => {
      socket.off('close', gone);
      begin();
    }, waitMs);
    const gone = (): void => clearTimeout(timer);
    socket.once('close', gone);
  }
}

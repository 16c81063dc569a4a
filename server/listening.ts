import type { Front, ListenOptions } from './api/front.ts';

/** Every address, IPv6 and IPv4; on a machine without IPv6, IPv4. */
const allAddresses = ['::', '0.0.0.0'];
const loopback = ['127.0.0.1', '::1'];
/** The command line may make the first administrator beside a running service. */
const setUpCheckMs = 2_000;
/** How long to wait for a port that another program has on the network. */
const changeMs = 500;

interface ListenPlan {
  /** The operator's choice; it holds before and after the first administrator. */
  host: string | undefined;
  /** 0 lets the system choose. */
  port: number;
  /** Called when other devices cannot be admitted; the service stays on loopback. */
  onError: (error: unknown) => void;
}

/**
 * Where the service can be reached: only on loopback until there is an administrator, as the setup call needs no login,
 * and on every address afterwards.
 */
export class Listening {
  readonly #front: Front;
  readonly #plan: ListenPlan;
  #isSetUp = (): boolean => false;
  #port: number;
  #watch: NodeJS.Timeout | undefined;

  constructor(front: Front, plan: ListenPlan) {
    this.#front = front;
    this.#plan = plan;
    this.#port = plan.port;
  }

  /** Resolves with the port; `isSetUp` tells whether there is an administrator. Throws ListenError. */
  async start(isSetUp: () => boolean): Promise<number> {
    const { host, port } = this.#plan;
    this.#isSetUp = isSetUp;
    if (host !== undefined) this.#port = await this.#front.listen({ host, port });
    else if (isSetUp()) this.#port = await this.#listenOnAll();
    else {
      await this.#listenOnLoopback();
      this.#watch = setInterval(() => void this.openWhenSetUp(), setUpCheckMs);
    }
    return this.#port;
  }

  /** Listens on all addresses beside loopback once there is an administrator; no connection is refused meanwhile. */
  async openWhenSetUp(): Promise<void> {
    if (this.#watch === undefined || !this.#isSetUp()) return;
    this.stop();
    try {
      await this.#listenOnAll({ waitMs: changeMs, isShared: true });
    } catch (error) {
      if (process.platform === 'linux') this.#plan.onError(error);
      else await this.#leaveLoopback();
    }
  }

  /** If a system does not allow both, loopback is closed for a moment. */
  async #leaveLoopback(): Promise<void> {
    this.#front.stopListening();
    try {
      await this.#listenOnAll({ waitMs: changeMs });
    } catch (error) {
      this.#plan.onError(error);
      await this.#listenOnLoopback().catch(this.#plan.onError);
    }
  }

  /** Stops looking for the administrator; listeners stay. */
  stop(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  async #listenOnLoopback(): Promise<void> {
    const [first = '', ...others] = loopback;
    this.#port = await this.#front.listen({ host: first, port: this.#port, isShared: true });
    const further = { port: this.#port, waitMs: 0, isShared: true };
    for (const host of others) await this.#front.listen({ host, ...further }).catch(() => undefined); // no IPv6
  }

  async #listenOnAll(how: Pick<ListenOptions, 'waitMs' | 'isShared'> = {}): Promise<number> {
    const [every = '', ipv4 = ''] = allAddresses;
    try {
      return await this.#front.listen({ host: every, port: this.#port, ...how });
    } catch (error) {
      if (!hasNoIpv6(error)) throw error;
      return this.#front.listen({ host: ipv4, port: this.#port, ...how });
    }
  }
}

function hasNoIpv6(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && ['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(String(cause.code));
}

import type { Front } from './api/front.ts';

/** Every address, IPv6 and IPv4; where the machine has no IPv6, IPv4. */
const allAddresses = ['::', '0.0.0.0'];
const loopback = ['127.0.0.1', '::1'];
/** The command line may make the first administrator beside a running service. */
const setUpCheckMs = 2_000;
/** Nobody is reached while loopback is left for all addresses, so a port that is taken there is not waited for long. */
const changeMs = 500;

interface ListenPlan {
  /** The operator's choice; it holds before and after the first administrator. */
  host: string | undefined;
  /** 0 lets the system choose. */
  port: number;
  isSetUp: () => boolean;
  /** Called when other devices cannot be let in; the service stays on loopback. */
  onError: (error: unknown) => void;
}

/**
 * Where the service may be reached: on loopback alone until there is an administrator, for the setup call needs no login,
 * on every address afterwards.
 */
export class Listening {
  readonly #front: Front;
  readonly #plan: ListenPlan;
  #port: number;
  #watch: NodeJS.Timeout | undefined;

  constructor(front: Front, plan: ListenPlan) {
    this.#front = front;
    this.#plan = plan;
    this.#port = plan.port;
  }

  /** Resolves with the port. Throws ListenError. */
  async start(): Promise<number> {
    const { host, port, isSetUp } = this.#plan;
    if (host !== undefined) this.#port = await this.#front.listen({ host, port });
    else if (isSetUp()) this.#port = await this.#listenOnAll();
    else {
      await this.#listenOnLoopback();
      this.#watch = setInterval(() => void this.openWhenSetUp(), setUpCheckMs);
    }
    return this.#port;
  }

  /** Leaves loopback for all addresses once there is an administrator; connections that are open stay. */
  async openWhenSetUp(): Promise<void> {
    if (this.#watch === undefined || !this.#plan.isSetUp()) return;
    this.stop();
    this.#front.stopListening();
    try {
      await this.#listenOnAll({ waitMs: changeMs });
    } catch (error) {
      this.#plan.onError(error);
      await this.#listenOnLoopback().catch(this.#plan.onError);
    }
  }

  /** Looks for the administrator no longer; what listens goes on. */
  stop(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  async #listenOnLoopback(): Promise<void> {
    const [first = '', ...others] = loopback;
    this.#port = await this.#front.listen({ host: first, port: this.#port });
    for (const host of others) await this.#front.listen({ host, port: this.#port, waitMs: 0 }).catch(() => undefined); // no IPv6
  }

  async #listenOnAll(wait: { waitMs?: number } = {}): Promise<number> {
    const [every = '', ipv4 = ''] = allAddresses;
    try {
      return await this.#front.listen({ host: every, port: this.#port, ...wait });
    } catch (error) {
      if (!hasNoIpv6(error)) throw error;
      return this.#front.listen({ host: ipv4, port: this.#port, ...wait });
    }
  }
}

function hasNoIpv6(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && ['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(String(cause.code));
}

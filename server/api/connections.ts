import type { Socket } from 'node:net';
import { isLoopback } from '../auth/lock-out.ts';
import { addressGroup } from './address-group.ts';

/** The peer of a connection, as its requests know it. */
export interface PeerOf {
  remoteAddress?: string | undefined;
  remotePort?: number | undefined;
}

export interface ConnectionLimits {
  /** From other machines, at once. */
  most: number;
  /** From one address. */
  mostOfAddress: number;
  /** From this machine; other machines cannot use them up. */
  mostOfLoopback: number;
}

const defaults: ConnectionLimits = { most: 1_000, mostOfAddress: 200, mostOfLoopback: 300 };

interface Connection {
  socket: Socket;
  /** Someone has logged in on it. */
  isKnown: boolean;
  /** Requests under way. */
  requests: number;
}

/**
 * The open connections, by peer and address. When there is no more room, the longest idle stranger is cut for the next
 * one, so that idle connections shut no one out.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #byPeer = new Map<string, Connection>();
  readonly #byAddress = new Map<string, Set<Connection>>();
  #fromLoopback = 0;

  constructor(limits: Partial<ConnectionLimits> = {}) {
    this.#limits = { ...defaults, ...limits };
  }

  /** Admits a connection, cutting another if needed; false when there is no room. */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    const group = addressGroup(address);
    const isLocal = isLoopback(address);
    if (!this.#makeRoom(group, isLocal)) return false;
    const connection: Connection = { socket, isKnown: false, requests: 0 };
    const peer = nameOf(socket);
    this.#byPeer.set(peer, connection);
    const ofAddress = this.#byAddress.get(group) ?? new Set();
    this.#byAddress.set(group, ofAddress.add(connection));
    if (isLocal) this.#fromLoopback += 1;
    socket.once('close', () => {
      if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
      this.#leave(group, connection, isLocal);
    });
    return true;
  }

  /** Someone has logged in on this connection: it is not cut for a stranger. */
  vouch(peer: PeerOf): void {
    const connection = this.#byPeer.get(nameOf(peer));
    if (connection) connection.isKnown = true;
  }

  /** A request began on a connection; returns a function that ends it. */
  busy(peer: PeerOf): () => void {
    const connection = this.#byPeer.get(nameOf(peer));
    if (!connection) return () => undefined;
    connection.requests += 1;
    return () => (connection.requests -= 1);
  }

  get size(): number {
    return this.#byPeer.size;
  }

  #makeRoom(group: string, isLocal: boolean): boolean {
    const { most, mostOfAddress, mostOfLoopback } = this.#limits;
    const own = this.#byAddress.get(group) ?? new Set<Connection>();
    if (isLocal) return this.#fromLoopback < mostOfLoopback || cutOne(own) || cutOne(this.#of(true));
    if (own.size >= mostOfAddress) return cutOne(own);
    return this.#byPeer.size - this.#fromLoopback < most || cutOne(this.#of(false));
  }

  *#of(isLocal: boolean): Generator<Connection> {
    for (const connection of this.#byPeer.values()) {
      if (isLoopback(connection.socket.remoteAddress ?? '') === isLocal) yield connection;
    }
  }

  #leave(group: string, connection: Connection, isLocal: boolean): void {
    const ofAddress = this.#byAddress.get(group);
    ofAddress?.delete(connection);
    if (ofAddress?.size === 0) this.#byAddress.delete(group);
    if (isLocal) this.#fromLoopback -= 1;
  }
}

/** Cuts the oldest connection without a login, an idle one first; false when all have one. */
function cutOne(connections: Iterable<Connection>): boolean {
  const strangers = [...connections].filter(({ isKnown, socket }) => !isKnown && !socket.destroyed);
  const going = strangers.find(({ requests }) => requests === 0) ?? strangers[0];
  going?.socket.destroy();
  return going !== undefined;
}

function nameOf({ remoteAddress, remotePort }: PeerOf): string {
  return `${remoteAddress} ${remotePort}`;
}

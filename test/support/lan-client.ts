import { readFileSync } from 'node:fs';
import { Agent, get, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { mediaType } from '../../server/contract/endpoint.ts';

export interface ServiceAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  /** Parsed if the answer is any kind of JSON. */
  body: unknown;
}

interface Sent {
  /** Sent as JSON unless it is a string. */
  body?: unknown;
  /** One set to null is not sent. */
  headers?: Record<string, string | null>;
}

/** A program on the LAN: trusts the authority of the data directory and sends a key, if it has one. */
export class LanClient {
  readonly url: string;
  readonly #agent: Agent;
  readonly #key: string | undefined;

  constructor(service: { url: string; dataDirectory: string; key?: string }) {
    const ca = readFileSync(join(service.dataDirectory, 'tls/ca.crt'), 'utf8');
    this.url = service.url;
    this.#key = service.key;
    this.#agent = new Agent({ ca, keepAlive: true });
  }

  async request(method: string, path: string, { body, headers = {} }: Sent = {}): Promise<ServiceAnswer> {
    const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const response = await this.#send(method, path, { headers: this.#headers(headers, sent), sent });
    const answer = await text(response);
    const isJson = /[/+]json/.test(response.headers['content-type'] ?? '');
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: isJson && answer ? JSON.parse(answer) : undefined,
    };
  }

  get(path: string): Promise<ServiceAnswer> {
    return this.request('GET', path);
  }

  post(path: string, body: unknown): Promise<ServiceAnswer> {
    return this.request('POST', path, { body });
  }

  /** The lines of an event stream as they arrive; `close` ends it. */
  async events(path = '/api/events'): Promise<{ lines: string[]; close: () => void }> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = this.#headers({ accept: 'text/event-stream' }, undefined);
      get(new URL(path, this.url), { agent: this.#agent, headers }, resolve).on('error', reject);
    });
    const lines: string[] = [];
    response.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n').filter(Boolean)));
    response.on('error', () => undefined); // the stream is cut on purpose
    return { lines, close: () => response.destroy() };
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(
    method: string,
    path: string,
    { headers, sent }: { headers: Record<string, string>; sent: string | undefined },
  ): Promise<IncomingMessage> {
    const asked = httpsRequest(new URL(path, this.url), { agent: this.#agent, method, headers });
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        asked.on('response', resolve);
        asked.on('error', reject);
        asked.end(sent);
      });
    } catch (error) {
      // A busy server may close a connection as idle while this request is on its way: it was not processed.
      const isIdleEnd = asked.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!isIdleEnd) throw error;
      return this.#send(method, path, { headers, sent });
    }
  }

  #headers(own: Record<string, string | null>, body: string | undefined): Record<string, string> {
    const headers: Record<string, string | null> = {
      accept: mediaType,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(this.#key !== undefined && { 'x-api-key': this.#key }),
      ...own,
    };
    return Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null));
  }
}

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Outbound, type OutboundOptions } from '../../server/outbound/outbound.ts';
import { loopbackCertificate } from './loopback-certificate.ts';

const tls = await loopbackCertificate();

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestUpstream {
  /** https://localhost:PORT */
  origin: string;
  /** Path and query of each request, in order. */
  asked: string[];
  /** Sets another answer from now on. */
  answer: Answering;
  /** Stops listening. */
  cut(): void;
}

/** An outside service on loopback, over HTTPS. */
export async function startUpstream(answer: Answering): Promise<TestUpstream> {
  const server = createServer({ key: tls.key, cert: tls.cert }, (request, response) => {
    upstream.asked.push(request.url ?? '');
    upstream.answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(cut);
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const upstream: TestUpstream = { origin: `https://localhost:${port}`, asked: [], answer, cut };
  return upstream;
}

/** For an `Outbound` that reaches such services: only localhost resolves. */
export function upstreamOutboundOptions(): OutboundOptions {
  return {
    allowLoopback: true,
    ca: tls.ca,
    resolve: async (name) => (name === 'localhost' ? ['127.0.0.1'] : []),
  };
}

export function upstreamOutbound(): Outbound {
  const outbound = new Outbound(upstreamOutboundOptions());
  onTestFinished(() => outbound.close());
  return outbound;
}

/** Answers each path by its entry, all else with 404. */
export function serve(pages: Record<string, { type: string; body: string | Buffer }>): Answering {
  return (request, response) => {
    const page = pages[(request.url ?? '').split('?')[0] ?? ''];
    if (page === undefined) response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    else response.writeHead(200, { 'content-type': page.type }).end(page.body);
  };
}

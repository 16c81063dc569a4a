import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { loopbackCertificate } from '../support/loopback-certificate.ts';

/**
 * A process of its own that answers every request with the same bytes and does nothing else: what TLS and HTTP alone
 * take.
 */
const body = Buffer.alloc(Number(process.argv[2]));
const { key, cert, ca } = await loopbackCertificate();
const headers = { 'content-type': 'image/png', 'content-length': body.length };
const server = createSecureServer({ key, cert, allowHTTP1: true }, (_, response) =>
  response.writeHead(200, headers).end(body),
);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // it listens on TCP
  process.send?.({ url: `https://localhost:${port}/`, ca });
});

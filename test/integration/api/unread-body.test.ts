import { connect, createServer, type ServerHttp2Stream } from 'node:http2';
import { describe, expect, it } from 'vitest';
import type { ApiContext } from '../../../server/api/context.ts';
import { readJsonBytes } from '../../../server/api/checks/body.ts';
import { dropUnreadBody } from '../../../server/api/unread-body.ts';

describe('dropUnreadBody', () => {
  it('closes an HTTP/2 stream after the answer, though part of the body was read and the rest never will', async () => {
    const ended = Promise.withResolvers<ServerHttp2Stream>();
    const server = createServer((request, response) => {
      request.stream.once('close', () => ended.resolve(request.stream));
      // Koa takes the HTTP/2 request for the HTTP/1 one that its types know.
      const ctx = { req: request, set: () => undefined } as unknown as ApiContext;
      readJsonBytes(ctx.req, { maxBytes: 4096, timeoutMs: 5000 }).catch(() => {
        dropUnreadBody(ctx, true);
        response.end('refused');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const client = connect(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
    const call = client.request({ ':method': 'POST', ':path': '/' });
    call.on('error', () => undefined);
    call.write('x'.repeat(300_000));
    let text = '';
    call.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const stream = await ended.promise;
    expect(stream.rstCode).toBe(0);
    await new Promise((resolve) => (call.readableEnded ? resolve(null) : call.once('end', resolve)));
    expect(text).toBe('refused');
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});

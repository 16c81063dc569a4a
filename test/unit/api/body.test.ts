import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readFileBytes } from '../../../server/api/checks/body.ts';

/** A request that carries a file of so many bytes in a form. */
function sent(bytes: number): IncomingMessage {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(bytes)], 'farm.geojson'));
  const { headers, body } = new Response(form);
  const request = body === null ? new Readable() : Readable.fromWeb(body as never); // of Node, as the DOM calls it
  // All that is read of a request.
  return Object.assign(request, { headers: Object.fromEntries(headers) }) as unknown as IncomingMessage;
}

it('takes a file that is as large as may be, whatever the form has around it, and none that is larger', async () => {
  const limits = { maxBytes: 1024 * 1024, timeoutMs: 10_000 };
  expect(await readFileBytes(sent(limits.maxBytes), limits)).toHaveLength(limits.maxBytes);
  await expect(readFileBytes(sent(limits.maxBytes + 1), limits)).rejects.toMatchObject({
    code: 'payload_too_large',
    members: { max_bytes: limits.maxBytes },
  });
});

import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { PacketFilter, PacketTooLongError } from '../../../../server/daemon/drivers/mqtt/packet-filter.ts';

const ping = Buffer.from([0xd0, 0x00]);
const short = Buffer.from([0x30, 0x03, 0x00, 0x01, 0x61]);
/** 200 bytes after the header: a length of two digits. */
const long = Buffer.concat([Buffer.from([0x31, 0xc8, 0x01]), Buffer.alloc(200, 0xff)]);
const acknowledged = Buffer.concat([Buffer.from([0x32, 0xc8, 0x01]), Buffer.alloc(200)]);

async function through(bytes: Buffer, size: number): Promise<Buffer> {
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const filter = Readable.from(parts).pipe(new PacketFilter(100));
  const out: Buffer[] = [];
  for await (const part of filter) out.push(part as Buffer); // it is no stream of objects
  return Buffer.concat(out);
}

it.each([1, 2, 3, 7, 1000])('leaves out long messages and nothing else, in pieces of %i bytes', async (size) => {
  const sent = Buffer.concat([ping, short, long, short, long, ping]);
  expect(await through(sent, size)).toEqual(Buffer.concat([ping, short, short, ping]));
});

it.each([
  ['a message that waits for its acknowledgement', acknowledged],
  ['another packet', Buffer.concat([Buffer.from([0x90, 0xc8, 0x01]), Buffer.alloc(200)])],
  ['a length without an end', Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0xff])],
])('gives up on %s that is too long', async (_, bytes) => {
  await expect(through(bytes, 5)).rejects.toBeInstanceOf(PacketTooLongError);
});

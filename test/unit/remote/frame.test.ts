import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftFrame, encodeFrame, flag, messageTypes, plainPayload, type Frame } from '../../../server/remote/frame.ts';
import { FrameReader } from '../../../server/remote/frame-reader.ts';
import { decodeRefusal, encodeRefusal } from '../../../server/remote/refusal.ts';
import { recordedFrames } from './recorded.ts';

const maxBytes = 1_000_000;

function readAll(bytes: Buffer, sizes: readonly number[] = [bytes.length]): Frame[] {
  const reader = new FrameReader(maxBytes);
  const frames: Frame[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    frames.push(...reader.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return frames;
}

describe('recorded frames', () => {
  it.each(recordedFrames)('$name: decodes, and encodes to the byte', ({ hex, payload_text, ...fields }) => {
    const bytes = Buffer.from(hex, 'hex');
    const [frame] = readAll(bytes);
    if (frame === undefined) throw new Error('no frame');
    const { type, flags, seq, serializer } = frame;
    expect({ type, flags, seq, serializer }).toEqual({
      type: fields.type,
      flags: fields.flags,
      seq: fields.seq,
      serializer: fields.serializer,
    });
    const payload = plainPayload(frame, maxBytes);
    const text = serializer === 2 ? null : payload.toString('utf8');
    expect(text).toBe(payload_text);
    expect(encodeFrame(frame).toString('hex')).toBe(hex);
  });

  it('carry annotations where one was sent', () => {
    const annotated = recordedFrames.filter(({ name }) => name.endsWith('annotated'));
    expect(annotated).toHaveLength(2);
    for (const { hex } of annotated) expect(readAll(Buffer.from(hex, 'hex'))[0]?.annotations.size).toBe(1);
  });
});

describe('a stream of frames', () => {
  it('reads the same however it is chopped', () => {
    const all = Buffer.concat(recordedFrames.map(({ hex }) => Buffer.from(hex, 'hex')));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), (sizes) => {
        const frames = readAll(all, sizes);
        expect(Buffer.concat(frames.map(encodeFrame)).equals(all)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('round-trips any frame', () => {
    const anyFrame = fc.record({
      type: fc.integer({ min: 0, max: 255 }),
      serializer: fc.integer({ min: 0, max: 255 }),
      flags: fc.integer({ min: 0, max: 65_535 }),
      seq: fc.integer({ min: 0, max: 65_535 }),
      correlation: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes)),
      annotations: fc
        .array(fc.tuple(fc.stringMatching(/^[A-Z]{4}$/), fc.uint8Array()))
        .map((pairs) => new Map(pairs.map(([id, bytes]) => [id, Buffer.from(bytes)]))),
      payload: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    });
    fc.assert(
      fc.property(anyFrame, (frame) => {
        expect(readAll(encodeFrame(frame))).toEqual([frame]);
      }),
    );
  });

  it('says whether it is inside a message', () => {
    const reader = new FrameReader(maxBytes);
    const bytes = encodeFrame(draftFrame({ type: messageTypes.ping, serializer: 42, payload: Buffer.from('ping') }));
    expect(reader.inside).toBe(false);
    expect([...reader.push(bytes.subarray(0, 41))]).toHaveLength(0);
    expect(reader.inside).toBe(true);
    expect([...reader.push(bytes.subarray(41))]).toHaveLength(1);
    expect(reader.inside).toBe(false);
  });
});

describe('a bad frame', () => {
  const good = encodeFrame(draftFrame({ type: messageTypes.invoke, serializer: 1, payload: Buffer.from('None') }));
  const patched = (at: number, ...bytes: number[]) => Buffer.from(good).fill(Buffer.from(bytes), at, at + bytes.length);

  it.each([
    ['tag, at six bytes', patched(0, 0x47).subarray(0, 6), 'protocol_error'],
    ['version, at six bytes', patched(4, 1, 0xf7).subarray(0, 6), 'protocol_error'],
    ['magic', patched(38, 0, 0).subarray(0, 40), 'protocol_error'],
    ['payload length', patched(12, 0xff, 0xff, 0xff, 0xff).subarray(0, 40), 'too_large'],
    ['annotation length', patched(16, 0xff, 0xff, 0xff, 0xff).subarray(0, 40), 'too_large'],
    ['sum of both lengths', patched(12, 0, 15, 66, 64, 0, 0, 0, 1).subarray(0, 40), 'too_large'],
    ['annotation cut short', patched(12, 0, 0, 0, 0, 0, 0, 0, 4), 'protocol_error'],
  ])('is refused for its %s', (_name, bytes, code) => {
    expect(() => readAll(bytes)).toThrow(expect.objectContaining({ code }));
  });

  it('is refused for an annotation that runs over its end', () => {
    const annotations = new Map([['TEST', Buffer.from('abc')]]);
    const bytes = encodeFrame(draftFrame({ type: 4, serializer: 1, payload: Buffer.alloc(0), annotations }));
    bytes.writeUInt32BE(4, 44);
    expect(() => readAll(bytes)).toThrow(expect.objectContaining({ code: 'protocol_error' }));
  });
});

describe('a compressed payload', () => {
  const compressed = (payload: Buffer) => draftFrame({ type: 4, serializer: 1, flags: flag.compressed, payload });

  it('may inflate up to the limit and no further', () => {
    const frame = compressed(deflateSync(Buffer.alloc(1000)));
    expect(plainPayload(frame, 1000)).toHaveLength(1000);
    expect(() => plainPayload(frame, 999)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  it('is refused when damaged', () => {
    expect(() => plainPayload(compressed(Buffer.from('no zlib')), 1000)).toThrow(
      expect.objectContaining({ code: 'protocol_error' }),
    );
  });
});

describe('a refusal in marshal', () => {
  it('reads as its text', () => {
    const recorded = recordedFrames.find(({ serializer }) => serializer === 2);
    const [frame] = readAll(Buffer.from(recorded?.hex ?? '', 'hex'));
    if (frame === undefined) throw new Error('no frame');
    const text = decodeRefusal(frame.payload);
    expect(text).toBe('invalid msg type 4 received (expected: 1)');
    expect(encodeRefusal(text).equals(frame.payload)).toBe(true);
  });

  it('of an unknown form shows what is printable', () => {
    expect(decodeRefusal(Buffer.from('\x01\x02refused\n\xff', 'latin1'))).toBe('refused');
  });

  it('is cut to what its length byte can tell', () => {
    expect(encodeRefusal('x'.repeat(300))).toHaveLength(257);
  });
});

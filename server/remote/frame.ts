import { inflateSync } from 'node:zlib';
import { protocolError, tooLarge } from './exception.ts';

/** Bytes that are checked before more are awaited: tag and protocol version. */
export const preambleBytes = 6;
export const headerBytes = 40;
export const defaultMaxBytes = 16 * 1024 * 1024;

const tag = Buffer.from('PYRO', 'ascii');
const protocolVersion = 502;
const magic = 0x4dc5;
const correlationBytes = 16;
const chunkHeadBytes = 8;
const annotationId = /^[A-Za-z]{4}$/;
const noCorrelation = Buffer.alloc(correlationBytes);

export const messageTypes = { connect: 1, connectOk: 2, connectFail: 3, invoke: 4, result: 5, ping: 6 } as const;

export const flag = {
  exception: 0x01,
  compressed: 0x02,
  oneway: 0x04,
  batch: 0x08,
  itemStream: 0x10,
  keepSerialized: 0x20,
  correlation: 0x40,
} as const;

/** One message; `payload` is as sent (deflated when flag 0x02 is set), `correlation` is 16 bytes, zeros when unset. */
export interface Frame {
  readonly type: number;
  readonly serializer: number;
  readonly flags: number;
  /** 0..65535 */
  readonly seq: number;
  readonly correlation: Buffer;
  readonly annotations: ReadonlyMap<string, Buffer>;
  readonly payload: Buffer;
}

export interface FrameHeader extends Omit<Frame, 'annotations' | 'payload'> {
  readonly annotationBytes: number;
  readonly payloadBytes: number;
}

export type FrameDraft = Pick<Frame, 'type' | 'serializer' | 'payload'> & Partial<Frame>;

/** Adds defaults to a message: no flags, sequence 0, no correlation, no annotations. */
export function draftFrame(draft: FrameDraft): Frame {
  return { flags: 0, seq: 0, correlation: noCorrelation, annotations: new Map(), ...draft };
}

/** Encodes a message: header, annotation chunks, payload (protocol 502, big-endian). */
export function encodeFrame(frame: Frame): Buffer {
  const annotations = encodeAnnotations(frame.annotations);
  const header = Buffer.alloc(headerBytes);
  tag.copy(header);
  header.writeUInt16BE(protocolVersion, 4);
  header.writeUInt8(frame.type, 6);
  header.writeUInt8(frame.serializer, 7);
  header.writeUInt16BE(frame.flags, 8);
  header.writeUInt16BE(frame.seq, 10);
  header.writeUInt32BE(frame.payload.length, 12);
  header.writeUInt32BE(annotations.length, 16);
  frame.correlation.copy(header, 20, 0, correlationBytes);
  header.writeUInt16BE(magic, 38);
  return Buffer.concat([header, annotations, frame.payload]);
}

/** Throws RemoteError `protocol_error` unless the first six bytes are the tag and version 502. */
export function checkPreamble(bytes: Buffer): void {
  if (!bytes.subarray(0, tag.length).equals(tag)) throw protocolError('not a remote object message');
  const version = bytes.readUInt16BE(4);
  if (version !== protocolVersion) throw protocolError(`protocol version ${version} is not supported`);
}

/**
 * Reads the 40 bytes of a header. Throws `protocol_error` on a wrong magic and `too_large` above `maxBytes` of body.
 */
export function decodeHeader(bytes: Buffer, maxBytes: number): FrameHeader {
  if (bytes.readUInt16BE(38) !== magic) throw protocolError('wrong magic number');
  const payloadBytes = bytes.readUInt32BE(12);
  const annotationBytes = bytes.readUInt32BE(16);
  if (payloadBytes + annotationBytes > maxBytes) throw tooLarge(`message longer than ${maxBytes} bytes`);
  return {
    type: bytes.readUInt8(6),
    serializer: bytes.readUInt8(7),
    flags: bytes.readUInt16BE(8),
    seq: bytes.readUInt16BE(10),
    correlation: Buffer.from(bytes.subarray(20, 20 + correlationBytes)),
    annotationBytes,
    payloadBytes,
  };
}

/**
 * Joins a header with its body of `annotationBytes + payloadBytes`. Throws `protocol_error` when the chunks do not add
 * up.
 */
export function decodeBody(header: FrameHeader, body: Buffer): Frame {
  const { annotationBytes, payloadBytes: _, ...rest } = header;
  return {
    ...rest,
    annotations: decodeAnnotations(body.subarray(0, annotationBytes)),
    payload: body.subarray(annotationBytes),
  };
}

/** The uncompressed payload; inflating takes about 2 ms for each MiB of result. Throws `too_large` above `maxBytes`. */
export function plainPayload(frame: Frame, maxBytes: number): Buffer {
  if ((frame.flags & flag.compressed) === 0) return frame.payload;
  try {
    return inflateSync(frame.payload, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(`message inflates to more than ${maxBytes} bytes`);
    throw protocolError('compressed payload is damaged');
  }
}

function encodeAnnotations(annotations: ReadonlyMap<string, Buffer>): Buffer {
  const parts: Buffer[] = [];
  for (const [id, bytes] of annotations) {
    if (!annotationId.test(id)) throw protocolError('an annotation is named by four letters');
    const head = Buffer.alloc(chunkHeadBytes);
    head.write(id, 'ascii');
    head.writeUInt32BE(bytes.length, 4);
    parts.push(head, bytes);
  }
  return Buffer.concat(parts);
}

function decodeAnnotations(bytes: Buffer): Map<string, Buffer> {
  const annotations = new Map<string, Buffer>();
  let at = 0;
  while (at < bytes.length) {
    if (bytes.length - at < chunkHeadBytes) throw protocolError('annotation is cut short');
    const end = at + chunkHeadBytes + bytes.readUInt32BE(at + 4);
    if (end > bytes.length) throw protocolError('annotation runs over its end');
    annotations.set(bytes.toString('latin1', at, at + 4), bytes.subarray(at + chunkHeadBytes, end));
    at = end;
  }
  return annotations;
}

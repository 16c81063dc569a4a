import type { IncomingMessage } from 'node:http';
import { mediaType } from '../../contract/endpoint.ts';
import { Refusal, refusePlainly } from '../../contract/errors.ts';

const jsonTypes = ['application/json', mediaType];

export interface BodyLimits {
  maxBytes: number;
  /** For the whole body to arrive. */
  timeoutMs: number;
}

const empty = Buffer.from('{}');

/** For what a form has around its file. */
const formBytes = 64 * 1024;

/**
 * Reads the bytes of a JSON body; an absent one counts as `{}`, so that missing fields are named. Throws
 * `payload_too_large`, then `unsupported_media_type`.
 */
export async function readJsonBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const bytes = await readBytes(request, limits);
  if (bytes.length === 0) return empty;
  checkType(request.headers['content-type'] ?? '');
  checkCoding(request.headers['content-encoding'] ?? '');
  return bytes;
}

/**
 * Reads the one part named file of a multipart/form-data body (RFC 7578) as bytes; the limit is that of the file.
 * Throws `payload_too_large`, `invalid_field`.
 */
export async function readFileBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const bytes = await readBytes(request, { ...limits, maxBytes: limits.maxBytes + formBytes });
  checkCoding(request.headers['content-encoding'] ?? '');
  const parts = await partsOf(bytes, request.headers['content-type'] ?? '');
  const [part, ...others] = parts;
  if (part === undefined || others.length > 0 || part[0] !== 'file') {
    throw refusePlainly('invalid_field', 'file', 'must be the one part of the form');
  }
  const file = typeof part[1] === 'string' ? Buffer.from(part[1]) : Buffer.from(await part[1].arrayBuffer());
  if (file.length > limits.maxBytes) throw tooLarge(limits.maxBytes);
  return file;
}

/** Whether the body is a form that may carry a file. */
export function isForm(request: IncomingMessage): boolean {
  return /^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '');
}

async function partsOf(bytes: Buffer, contentType: string): Promise<[string, File | string][]> {
  try {
    const body = new Uint8Array(bytes);
    return [...(await new Response(body, { headers: { 'content-type': contentType } }).formData())];
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw refusePlainly('invalid_field', 'file', 'is in a form that cannot be read');
  }
}

async function readBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => request.destroy(new Error('the body did not arrive in time')), limits.timeoutMs);
  try {
    // Kept whole on a refusal: destroying the request would destroy the answer with it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limits.maxBytes) throw tooLarge(limits.maxBytes);
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks, length);
}

function tooLarge(maxBytes: number): Refusal {
  const members = { max_bytes: maxBytes };
  return new Refusal('payload_too_large', `the body may have ${maxBytes} bytes`, { members });
}

function checkType(contentType: string): void {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every((one) => !one.startsWith('charset=') || /^charset="?utf-?8"?$/.test(one));
  if (jsonTypes.includes(type) && isUtf8) return;
  throw new Refusal('unsupported_media_type', 'send the body as application/json in UTF-8');
}

function checkCoding(contentEncoding: string): void {
  if (['', 'identity'].includes(contentEncoding.trim().toLowerCase())) return;
  throw new Refusal('unsupported_media_type', 'send the body without a Content-Encoding');
}

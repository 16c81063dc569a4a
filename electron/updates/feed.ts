import { verify } from 'node:crypto';
import { z } from 'zod';

/** Why an update is not available. */
export type UpdateFault =
  | 'no_source'
  | 'no_keys'
  | 'unreachable'
  | 'unsigned'
  | 'not_newer'
  | 'no_file'
  | 'damaged'
  | 'disk';

export class UpdateError extends Error {
  override readonly name = 'UpdateError';
  readonly code: UpdateFault;

  constructor(code: UpdateFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const updateKinds = ['appimage', 'deb', 'nsis', 'dmg'] as const;
export type UpdateKind = (typeof updateKinds)[number];

const updateFile = z.strictObject({
  name: z
    .string()
    .max(120)
    .regex(/^\w[\w.+-]*$/)
    .describe('Beside the feed'),
  kind: z.enum(updateKinds),
  arch: z.enum(['x64', 'arm64']),
  bytes: z.int().min(1).max(2_000_000_000),
  sha512: z.string().regex(/^[\da-f]{128}$/),
});
export type UpdateFile = z.infer<typeof updateFile>;

/** The files of a version, as its publisher signs them. */
const updateFeed = z.strictObject({
  format: z.literal('orangery-update'),
  version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/),
  released_at: z.iso.datetime(),
  files: z.array(updateFile).min(1).max(40),
});
export type UpdateFeed = z.infer<typeof updateFeed>;

export const feedName = 'orangery-update.json';
export const signatureName = `${feedName}.sig`;

/**
 * The feed, if one of the keys has signed exactly these bytes (Ed25519, RFC 8032; the signature in base64). Nothing of
 * it is parsed before. Throws UpdateError: unsigned.
 */
export function openFeed(bytes: Buffer, signature: string, keys: readonly string[]): UpdateFeed {
  const sealed = Buffer.from(signature.trim(), 'base64');
  if (!keys.some((key) => isSignedBy(key, bytes, sealed))) {
    throw new UpdateError('unsigned', 'the update is not signed by the publisher of this program');
  }
  const read = updateFeed.safeParse(parsed(bytes));
  if (!read.success) throw new UpdateError('unsigned', `the update is of another form: ${z.prettifyError(read.error)}`);
  return read.data;
}

/** A malformed key signs nothing, and does not keep the others from being tried. */
function isSignedBy(key: string, bytes: Buffer, sealed: Buffer): boolean {
  try {
    return verify(null, bytes, key, sealed);
  } catch {
    return false;
  }
}

/** Undefined, which no form accepts, for what is not JSON. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Whether a version is later than another: an older one, although signed, must not come back. */
export function isNewer(version: string, than: string): boolean {
  const [left, right] = [version, than].map((one) => one.split('.').map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { extname, join, relative, sep } from 'node:path';
import type { Middleware } from 'koa';
import type { ApiContext, ApiState } from './context.ts';
import { allowStyles } from './middleware/security-headers.ts';

/** In the built index.html, stands where each request's nonce belongs (Vite's `html.cspNonce`). */
export const noncePlaceholder = '__ORANGERY_CSP_NONCE__';

interface StaticFile {
  path: string;
  size: number;
  etag: string;
  type: string;
  /** Its name carries a hash of its content, so it never changes. */
  isHashed: boolean;
  /** The same file compressed at build time. */
  encodings: Partial<Record<'br' | 'gzip', { path: string; size: number }>>;
}

/**
 * Serves the built pages. Only files that existed at the start are served, by exact name, so that no path leads out of
 * the directory; any other path without an extension is a page of the application and gets index.html.
 */
export function serveStaticFiles(directory: string): Middleware<ApiState> {
  const files = listFiles(directory);
  const index = files.get('/index.html');
  const page = index && readFileSync(index.path, 'utf8');
  return async (ctx, next) => {
    const isOurs = (ctx.method === 'GET' || ctx.method === 'HEAD') && !/^\/api(\/|$)/.test(ctx.path);
    const file = isOurs ? files.get(ctx.path) : undefined;
    if (file && file !== index) sendFile(ctx, file);
    else if (isOurs && page !== undefined && (file || extname(ctx.path) === '')) sendPage(ctx, page);
    else await next();
  };
}

function sendPage(ctx: ApiContext, page: string): void {
  const nonce = randomBytes(16).toString('base64');
  allowStyles(ctx, nonce);
  // Each load has its own nonce, so none may be cached.
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = page.replaceAll(noncePlaceholder, nonce);
}

function sendFile(ctx: ApiContext, file: StaticFile): void {
  ctx.set('Cache-Control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  ctx.set('ETag', file.etag);
  ctx.vary('Accept-Encoding');
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  // Asked one by one: of several that it accepts alike, the first in the browser's list would win, and that is gzip.
  const encoding = (['br', 'gzip'] as const).find((one) => file.encodings[one] && ctx.acceptsEncodings(one));
  if (encoding) ctx.set('Content-Encoding', encoding);
  const sent = (encoding && file.encodings[encoding]) ?? file;
  ctx.type = file.type;
  ctx.length = sent.size;
  ctx.body = createReadStream(sent.path);
}

function listFiles(directory: string): Map<string, StaticFile> {
  const sizes = new Map<string, number>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) sizes.set(path, statSync(path).size);
  }
  const files = new Map<string, StaticFile>();
  for (const [path, size] of sizes) {
    if (/\.(br|gz|map)$/.test(path)) continue;
    const url = `/${relative(directory, path).split(sep).join('/')}`;
    files.set(url, describeFile(path, size, sizes));
  }
  return files;
}

function describeFile(path: string, size: number, sizes: Map<string, number>): StaticFile {
  const variant = (suffix: string) => {
    const found = sizes.get(path + suffix);
    return found === undefined ? undefined : { path: path + suffix, size: found };
  };
  const br = variant('.br');
  const gzip = variant('.gz');
  return {
    path,
    size,
    etag: `"${size.toString(36)}-${statSync(path).mtimeMs.toString(36)}"`,
    type: extname(path),
    isHashed: /[-.][\w-]{8}\.\w+$/.test(path) && path.includes(`${sep}assets${sep}`),
    encodings: { ...(br && { br }), ...(gzip && { gzip }) },
  };
}

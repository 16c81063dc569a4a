import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { installedSwaggerUi } from '../../../server/api/docs/page.ts';
import { noncePlaceholder } from '../../../server/api/static-files.ts';
import { healthRoutes } from '../../../server/api/routes/health.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';

const page = `<meta property="csp-nonce" nonce="${noncePlaceholder}"><style nonce="${noncePlaceholder}"></style>`;
const browser = { headers: { accept: 'text/html,*/*;q=0.8' } };
let api: TestApi;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'orangery-pages-'));
  mkdirSync(join(directory, 'dist', 'assets'), { recursive: true });
  writeFileSync(join(directory, 'secret.txt'), 'secret');
  const files = {
    'index.html': page,
    'favicon.svg': '<svg/>',
    'assets/index-Ab3_x9Zq.js': 'let a;',
    'assets/index-Ab3_x9Zq.js.br': 'brotli',
    'assets/index-Ab3_x9Zq.js.gz': 'gzip',
    'assets/index-Ab3_x9Zq.js.map': '{}',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, 'dist', name), text);
  api = await startTestApi({
    routes: [...healthRoutes(() => true, { problems: () => [] }), ...sampleRoutes()],
    rendererDirectory: join(directory, 'dist'),
    swaggerUiDirectory: installedSwaggerUi(),
  });
});

afterAll(async () => {
  await api.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('the built pages', () => {
  it.each(['/', '/index.html', '/facilities/7', '/map'])('%s is the page, with a nonce of its own', async (path) => {
    const first = await api.request('GET', path, browser);
    const second = await api.request('GET', path, browser);
    expect(first).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
    const nonce = /style nonce="([^"]{24})"/.exec(first.text)?.[1];
    expect(first.text).toBe(page.replaceAll(noncePlaceholder, nonce ?? ''));
    expect(first.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(first.headers['content-security-policy']).not.toContain('unsafe');
    expect(second.text).not.toBe(first.text);
  });

  it('keeps hashed assets for ever and asks again for others', async () => {
    const script = await api.request('GET', '/assets/index-Ab3_x9Zq.js');
    expect(script).toMatchObject({ status: 200, text: 'let a;' });
    expect(script.headers['content-type']).toContain('javascript');
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const icon = await api.request('GET', '/favicon.svg');
    expect(icon.headers['cache-control']).toBe('no-cache');
    const again = await api.request('GET', '/favicon.svg', { headers: { 'if-none-match': icon.headers.etag ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await api.request('HEAD', '/favicon.svg');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '6']);
  });

  it.each([
    ['br, gzip', 'br', 'brotli'],
    ['gzip, deflate, br, zstd', 'br', 'brotli'],
    ['gzip', 'gzip', 'gzip'],
    ['identity', undefined, 'let a;'],
  ])('sends the form made at build time for Accept-Encoding %s', async (accepted, encoding, text) => {
    const answer = await api.request('GET', '/assets/index-Ab3_x9Zq.js', { headers: { 'accept-encoding': accepted } });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toContain('Accept-Encoding');
    expect(answer.text).toBe(text);
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/index-Ab3_x9Zq.js.map',
    '/missing.js',
    '/__proto__.js',
  ])('%s is not there', async (path) => {
    expect(await api.request('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('does not take modifying requests for pages', async () => {
    expect(await api.request('POST', '/')).toMatchObject({ status: 404 });
  });
});

describe('what anyone may read', () => {
  it('/ca.crt without login or Accept', async () => {
    const answer = await api.request('GET', '/ca.crt', { headers: { accept: null } });
    expect(answer).toMatchObject({
      status: 200,
      text: api.ca,
      headers: { 'content-type': 'application/x-x509-ca-cert' },
    });
  });

  it('/api/openapi.json with an ETag', async () => {
    const answer = await api.request('GET', '/api/openapi.json', { headers: { accept: '*/*' } });
    expect(answer).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
    const etag = answer.headers.etag ?? '';
    const again = await api.request('GET', '/api/openapi.json', { headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
  });

  it('health without login or version', async () => {
    expect(await api.request('GET', '/api/health', { headers: { accept: null } })).toMatchObject({
      body: { status: 'up' },
    });
  });

  it('health answers 503 without the daemon', async () => {
    const without = await startTestApi({ routes: healthRoutes(() => false, { problems: () => [] }) });
    onTestFinished(() => without.close());
    expect(await without.request('GET', '/api/health', { headers: { accept: null } })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1', 'content-type': 'application/problem+json' },
      body: { code: 'not_available' },
    });
  });

  it.each(['/api', '/api/'])('%s is a page whatever the Accept, and loads from here only', async (path) => {
    const answer = await api.request('GET', path);
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    const loaded = [...answer.text.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(loaded).toHaveLength(5);
    for (const asset of loaded) expect(await api.request('GET', asset)).toMatchObject({ status: 200 });
    expect(answer.text).not.toMatch(/<script>|<style|style=|onload/);
  });
});

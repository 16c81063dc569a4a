/*
 * Caches the pages of one build, so that they open while the server is away. It answers only for pages and built files:
 * data and commands always go to the server. The build inserts its files and its name (build/offline-shell.ts).
 */
declare const SHELL_FILES: readonly string[];
declare const SHELL_BUILD: string;

/** The part of a worker's global scope used here; its library conflicts with that of pages. */
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface WorkerScope {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(kind: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(kind: 'fetch', listener: (event: FetchEvent) => void): void;
}

const scope = self as unknown as WorkerScope; // the only place where this file runs
const cacheName = `shell-${SHELL_BUILD}`;
/** How long to wait for a server that may be gone; the wireless connection in a house is slow. */
const patienceMs = 5_000;

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(['/', ...SHELL_FILES]);
  await scope.skipWaiting();
}

/** Open tabs may still run the previous build and load parts of it; caches are listed by age. */
async function dropOld(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith('shell-') && name !== cacheName);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/** From the server; when that fails or returns an error, the cached page, with the policy and nonce cached with it. */
async function openPage(request: Request): Promise<Response> {
  const kept = await caches.match('/', { cacheName });
  if (kept === undefined) return fetch(request);
  const asked = fetch(request).then((answer) => (answer.status >= 500 ? kept : answer));
  const waited = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), patienceMs));
  return Promise.race([asked, waited]).catch(() => kept);
}

/** The name of a built file changes with its content, so a copy from any build is right. */
async function builtFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

scope.addEventListener('install', (event) => event.waitUntil(install()));
scope.addEventListener('activate', (event) => event.waitUntil(dropOld()));
scope.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== scope.location.origin || /^\/api(\/|$)/.test(pathname)) return;
  if (mode === 'navigate') event.respondWith(openPage(event.request));
  else if (pathname.startsWith('/assets/')) event.respondWith(builtFile(event.request));
});

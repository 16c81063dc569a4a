import { createPinia } from 'pinia';
import { createApp, effectScope } from 'vue';
import { ApiClient, clientKey } from '../../renderer/client/client.ts';
import { useOpenMap } from '../../renderer/stores/map.ts';
import { wholeKey, type WholeApi } from './whole-api.ts';

export interface MapPage {
  store: ReturnType<typeof useOpenMap>;
  /** Runs what uses stores, as the set-up of a component does. */
  within<T>(run: () => T): T;
  /** Method and path of each call that was sent. */
  calls: string[];
  /** The good answer to a call of this method and path is lost, once for each entry. */
  lost: string[];
  /** A call of this method and path arrives, and is never answered, once for each entry. */
  silent: string[];
}

/** A page with its open map, on the real interface over a line that loses answers. */
export function mapPage(api: WholeApi): MapPage {
  const calls: string[] = [];
  const lost: string[] = [];
  const silent: string[] = [];
  const line: typeof fetch = async (address, { method = 'GET', body, signal } = {}) => {
    if (typeof address !== 'string') throw new Error('the client asks by path');
    const call = `${method} ${address.split('?')[0]}`;
    calls.push(call);
    const sent = typeof body === 'string' ? { body, headers: { 'content-type': 'application/json' } } : {};
    const { status, text } = await api.request(method, address, { ...sent, key: wholeKey });
    signal?.throwIfAborted();
    if (silent.includes(call)) {
      silent.splice(silent.indexOf(call), 1);
      return new Promise((_answered, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    }
    if (status >= 400 || !lost.includes(call)) return new Response(text, { status });
    lost.splice(lost.indexOf(call), 1);
    throw new TypeError('the connection was lost');
  };
  const app = createApp({});
  app.use(createPinia());
  app.provide(clientKey, new ApiClient(line));
  const within = <T>(run: () => T): T => app.runWithContext(() => effectScope(true).run(run) as T); // its scope is active
  return { store: app.runWithContext(() => useOpenMap()), within, calls, lost, silent };
}

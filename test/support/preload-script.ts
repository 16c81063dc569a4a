/**
 * A script for a page that runs a built preload like the sandbox does: it may require `electron` and nothing else. Its
 * calls go to the page's `__invoke(channel, args)`; `__deliver(channel, value)` delivers what main sends.
 */
export function preloadScript(source: string): string {
  return `((require, module) => { ${source}
  })((name) => {
    if (name !== 'electron') throw new Error('the sandbox has no ' + name);
    return {
      contextBridge: { exposeInMainWorld: (key, api) => { globalThis[key] = Object.freeze(api); } },
      ipcRenderer: {
        invoke: (channel, ...args) => globalThis.__invoke(channel, args),
        on: (channel, run) => {
          const before = globalThis.__deliver;
          globalThis.__deliver = (to, value) => (to === channel ? run({}, value) : before?.(to, value));
        },
      },
    };
  }, { exports: {} });`;
}

/**
 * A script for a page that runs a built preload as the sandbox does: it may require `electron` and nothing else. What it
 * invokes goes to the page's `__invoke(channel, args)`.
 */
export function preloadScript(source: string): string {
  return `((require, module) => { ${source}
  })((name) => {
    if (name !== 'electron') throw new Error('the sandbox has no ' + name);
    return {
      contextBridge: { exposeInMainWorld: (key, api) => { globalThis[key] = Object.freeze(api); } },
      ipcRenderer: { invoke: (channel, ...args) => globalThis.__invoke(channel, args) },
    };
  }, { exports: {} });`;
}

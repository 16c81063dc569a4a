import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformWithOxc, type Plugin } from 'vite';

const source = join(import.meta.dirname, '../renderer/offline/service-worker.ts');
/** The files that make up pages; basemaps and the like are data. */
const isShell = /^assets\/.+\.(js|css|svg|png|woff2)$/;

/**
 * Writes `service-worker.js` beside the pages, with the names of their files in it: a build that differs in any of them
 * also differs in this file, which a browser notices. It is not an entry of the bundle, as it would then share its
 * code.
 */
export function offlineShell(): Plugin {
  return {
    name: 'offline-shell',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.keys(bundle).filter((name) => isShell.test(name));
        const list = JSON.stringify(files.toSorted().map((name) => `/${name}`));
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('the pages have no index.html');
        const build = createHash('sha256').update(list).update(page.source).digest('hex').slice(0, 12);
        const { code } = await transformWithOxc(readFileSync(source, 'utf8'), source, {
          define: { SHELL_FILES: list, SHELL_BUILD: JSON.stringify(build) },
        });
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: code });
      },
    },
  };
}

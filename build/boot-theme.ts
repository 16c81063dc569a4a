import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformWithOxc, type Plugin } from 'vite';

const source = join(import.meta.dirname, '../renderer/boot/boot-theme.ts');

/** Makes the page read its theme before it is painted, from a separate file, as its policy allows no inline script. */
export function bootTheme(): Plugin {
  let fileName = '';
  return {
    name: 'boot-theme',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async buildStart() {
      const { code } = await transformWithOxc(`(() => {${readFileSync(source, 'utf8')}})();`, source);
      fileName = `assets/boot-theme-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
      this.emitFile({ type: 'asset', fileName, source: code });
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/${fileName}` }, injectTo: 'head-prepend' }],
  };
}

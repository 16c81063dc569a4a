import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = new Set(['.js', '.css', '.json', '.svg']);
/** Smaller responses fit the same packet compressed or not. */
const leastBytes = 1_024;

/** Writes `.br` and `.gz` beside each built file, which the server sends as they are. */
export function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    writeBundle({ dir }) {
      if (dir === undefined) return;
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        if (entry.isFile() && compressible.has(extname(entry.name))) compress(join(entry.parentPath, entry.name));
      }
    },
  };
}

function compress(path: string): void {
  const content = readFileSync(path);
  if (content.length < leastBytes) return;
  // Data at level 9 is within 3 % of the best in a tenth of the time; of a script, level 10 saves another 6 %.
  const quality = extname(path) === '.js' ? 10 : 9;
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}

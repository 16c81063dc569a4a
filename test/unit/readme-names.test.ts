import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const exclude = ['**/node_modules/**', 'dist/**', 'release/**'];

it('names only files that exist in the READMEs', () => {
  const files = globSync('**/*.{ts,vue,cjs,js}', { cwd: root, exclude });
  const missing = globSync('**/*.md', { cwd: root, exclude }).flatMap((readme) => {
    const text = readFileSync(join(root, readme), 'utf8');
    // A name like NAME.ts stands for what a newcomer adds.
    const named = [...text.matchAll(/`[./]*((?!\S*(?:NAME|KIND))[\w./-]+\.(?:ts|vue|cjs))`/g)].map(
      ([, name = '']) => name,
    );
    return named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`))).map((name) => [readme, name]);
  });
  expect(missing).toEqual([]);
});

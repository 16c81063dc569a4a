import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The README's pictures, from those kept by the browser test of the first story. */
const pictures = {
  'house.png': 'return-01-house.png',
  'map.png': 'return-02-map.png',
  'editor.png': 'story-08-covering.png',
};

mkdirSync(join(root, 'renderer/pictures'), { recursive: true });
for (const [name, kept] of Object.entries(pictures)) {
  cpSync(join(root, 'test/output/pictures', kept), join(root, 'renderer/pictures', name));
}

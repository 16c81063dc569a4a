import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { rooms } from '../../build/layers.ts';
import { brokenImports } from '../support/import-rules.ts';

const root = new URL('../..', import.meta.url).pathname;
let sample: string | undefined;

afterEach(() => {
  if (sample) rmSync(sample, { recursive: true });
  sample = undefined;
});

/** A small tree of the same folders, to see each rule refuse something. */
function tree(files: Record<string, string>): string {
  sample = mkdtempSync(join(tmpdir(), 'orangery-imports-'));
  for (const folder of ['server', 'electron', 'renderer']) mkdirSync(join(sample, folder));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(sample, name)), { recursive: true });
    writeFileSync(join(sample, name), text);
  }
  return sample;
}

describe('import rules', () => {
  it('hold for the whole project', { timeout: 60_000 }, async () => {
    expect(await brokenImports(root)).toEqual([]);
  });

  it.each([
    ['domain -> services', 'server/domain/a.ts', 'server/services/b.ts'],
    ['contract -> domain', 'server/contract/a.ts', 'server/domain/b.ts'],
    ['services -> daemon', 'server/services/a.ts', 'server/daemon/b.ts'],
    ['db -> auth', 'server/db/a.ts', 'server/auth/b.ts'],
    ['api -> db', 'server/api/a.ts', 'server/db/b.ts'],
    ['api -> daemon', 'server/api/a.ts', 'server/daemon/b.ts'],
    ['renderer -> domain', 'renderer/a.ts', 'server/domain/b.ts'],
    ['preload -> main', 'electron/preload/a.ts', 'electron/b.ts'],
    ['a folder of the server without a line', 'server/newthing/a.ts', 'server/contract/b.ts'],
    ['commands -> services', 'server/commands/a.ts', 'server/services/b.ts'],
    ['client -> domain', 'server/orangery_client.ts', 'server/domain/b.ts'],
    ['services: live -> device', 'server/services/live/a.ts', 'server/services/device/b.ts'],
    ['services: a folder without a row', 'server/services/new/a.ts', 'server/services/device/b.ts'],
    ['drivers: one -> another', 'server/daemon/drivers/mqtt/a.ts', 'server/daemon/drivers/modbus/b.ts'],
    ['api: a check -> a route', 'server/api/checks/a.ts', 'server/api/routes/b.ts'],
    ['renderer: ui -> features', 'renderer/ui/a.ts', 'renderer/features/map/b.ts'],
    ['features: one screen -> another', 'renderer/features/trends/a.ts', 'renderer/features/house/b.ts'],
  ])('refuse %s', async (_name, from, to) => {
    const up = '../'.repeat(from.split('/').length - 1);
    const base = tree({
      [from]: `import { b } from '${up}${to}';\nexport const a = b;\n`,
      [to]: 'export const b = 1;\n',
    });
    expect(await brokenImports(base)).toContainEqual(expect.stringContaining(`${from} -> ${to}`));
  });

  it.each([
    ['koa in services', 'server/services/a.ts', 'koa'],
    ['SQL in api', 'server/api/a.ts', 'better-sqlite3'],
    ['electron in server', 'server/service.ts', 'electron'],
    ['leaflet outside the map', 'renderer/features/a.ts', 'leaflet'],
    ['three outside the scene', 'renderer/features/a.ts', 'three'],
    ['anything but zod in the contract', 'server/contract/a.ts', 'koa'],
    ['Node in the domain', 'server/domain/a.ts', 'node:fs'],
  ])('refuse %s', async (_name, from, packageName) => {
    const base = tree({ [from]: `import a from '${packageName}';\nexport default a;\n` });
    expect(await brokenImports(base)).toContainEqual(expect.stringContaining(`: ${from} -> `));
  });

  it('refuse a type-only import across layers, and one inside a Vue file', async () => {
    const base = tree({
      'server/domain/a.ts': "import type { B } from '../services/b.ts';\nexport type A = B;\n",
      'server/services/b.ts': 'export type B = number;\n',
      'renderer/C.vue': '<script setup lang="ts">\nimport { b } from \'../server/services/d.ts\';\nb();\n</script>\n',
      'server/services/d.ts': 'export function b(): void {}\n',
    });
    const broken = await brokenImports(base);
    expect(broken).toContainEqual(expect.stringContaining('server/domain/a.ts -> server/services/b.ts'));
    expect(broken).toContainEqual(expect.stringContaining('renderer/C.vue -> server/services/d.ts'));
  });

  it.each([
    ['a cycle', "import { a } from './a.ts';\nexport const b = (): number => a();\n"],
    ['one of types alone', "import type { a } from './a.ts';\nexport const b = (): ReturnType<typeof a> => 1;\n"],
  ])('refuse %s', async (_name, back) => {
    const base = tree({
      'server/domain/a.ts': "import { b } from './b.ts';\nexport const a = (): number => b();\n",
      'server/domain/b.ts': back,
    });
    expect(await brokenImports(base)).toContainEqual(expect.stringContaining('no cycles'));
  });

  it.each(Object.entries(rooms))('let nothing in %s import each other', (_house, may) => {
    const below = new Set<string>();
    const left = new Map(Object.entries(may));
    for (let settled = true; settled;) {
      settled = false;
      for (const [room, allowed] of left) {
        if (!allowed.every((other) => below.has(other) || !(other in may))) continue;
        below.add(room);
        settled = left.delete(room);
      }
    }
    expect([...left.keys()]).toEqual([]);
  });
});

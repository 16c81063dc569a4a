import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import configuration from '../../../build/electron-builder.json' with { type: 'json' };
import lock from '../../../package-lock.json' with { type: 'json' };

const modules = join(import.meta.dirname, '../../../node_modules');
const targets = ['linux-x64', 'linux-arm64', 'win32-x64', 'win32-arm64', 'darwin-x64', 'darwin-arm64'];

/**
 * What a build is for, by its header: ELF's e_machine, PE's Machine, Mach-O's cputype (one or, in a fat file, several).
 */
function machinesOf(file: Buffer): string[] {
  const name = (machine: number, names: Record<number, string>): string => names[machine] ?? `machine ${machine}`;
  if (file.subarray(0, 4).toString('latin1') === '\x7fELF') {
    return [`linux-${name(file.readUInt16LE(18), { 62: 'x64', 183: 'arm64' })}`];
  }
  if (file.subarray(0, 2).toString('latin1') === 'MZ') {
    return [`win32-${name(file.readUInt16LE(file.readUInt32LE(60) + 4), { 0x8664: 'x64', 0xaa64: 'arm64' })}`];
  }
  const cpus = { 0x01000007: 'x64', 0x0100000c: 'arm64' };
  if (file.readUInt32LE(0) === 0xfeedfacf) return [`darwin-${name(file.readUInt32LE(4), cpus)}`];
  if (file.readUInt32BE(0) !== 0xcafebabe) return ['no native module'];
  return Array.from({ length: file.readUInt32BE(4) }, (_, n) => `darwin-${name(file.readUInt32BE(8 + 20 * n), cpus)}`);
}

/** Node-API does not change with the version of Node or Electron; anything else would have to be compiled for each. */
function isNodeApi(file: Buffer): boolean {
  return file.includes('napi_register_module_v1') || file.includes('napi_module_register');
}

/** Builds of a package for a target, by the names under which they are packed. */
const packages: Record<string, (target: string) => string[]> = {
  'better-sqlite3/prebuilds': (target) => [`${target}.node`],
  '@serialport/bindings-cpp/prebuilds': (target) => {
    const folder = target.startsWith('darwin') ? 'darwin-x64+arm64' : target;
    const names = readdirSync(join(modules, '@serialport/bindings-cpp/prebuilds', folder));
    return names.map((name) => join(folder, name));
  },
};

describe.each(Object.entries(packages))('%s', (folder, buildsOf) => {
  it.each(targets)('has a build for %s that any Node and Electron of it loads', (target) => {
    const files = buildsOf(target).map((name) => readFileSync(join(modules, folder, name)));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect(machinesOf(file)).toContain(target);
      expect(isNodeApi(file)).toBe(true);
    }
  });
});

/** Packages that are shipped beside the bundle, which may be native; paths from the root of the project. */
const shipped = Object.entries(lock.packages)
  .filter(([path, one]) => path.startsWith('node_modules/') && !('dev' in one) && !('devOptional' in one))
  .map(([path]) => path)
  .filter((path) => existsSync(join(modules, '..', path)));

const natives = shipped.flatMap((path) =>
  readdirSync(join(modules, '..', path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.node'))
    .map((name) => join(path, name)),
);

it('are all that is native of what is shipped', () => {
  const folders = Object.keys(packages).map((folder) => join('node_modules', folder));
  expect(natives.length).toBeGreaterThan(targets.length);
  expect(natives.filter((name) => !folders.some((folder) => name.startsWith(folder)))).toEqual([]);
});

/** The matcher by which electron-builder reads `files`. */
const { minimatch } = createRequire(
  createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json')).resolve(
    'app-builder-lib/package.json',
  ),
)('minimatch') as { minimatch: (path: string, pattern: string, options: { dot: boolean }) => boolean };

it.each(targets)('the package for %s has its own builds and no others', (target) => {
  const platform = target.split('-')[0] ?? '';
  const [, arch = ''] = target.split('-');
  const leftOut = configuration.files
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => pattern.slice(1).replaceAll('${platform}', platform).replaceAll('${arch}', arch));
  const packed = natives.filter((name) => !leftOut.some((pattern) => minimatch(name, pattern, { dot: true })));
  expect(packed.length).toBeGreaterThan(1);
  for (const name of packed) expect(machinesOf(readFileSync(join(modules, '..', name))), name).toContain(target);
  for (const folder of Object.keys(packages))
    expect(
      packed.some((name) => name.includes(folder)),
      folder,
    ).toBe(true);
});

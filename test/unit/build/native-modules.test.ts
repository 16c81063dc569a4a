import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const modules = join(import.meta.dirname, '../../../node_modules');
const targets = ['linux-x64', 'linux-arm64', 'win32-x64', 'win32-arm64', 'darwin-x64', 'darwin-arm64'];

/** What a build is for, by its header: ELF's e_machine, PE's Machine, Mach-O's cputype (one or, in a fat file, several). */
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

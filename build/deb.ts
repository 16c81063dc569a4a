import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import packageJson from '../package.json' with { type: 'json' };
import { completionOf } from '../server/commands/completion.ts';
import { manPage } from '../server/commands/man.ts';

/** Debian's names for Node's. */
const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

interface DebOptions {
  /** Folder for the package file. */
  output: string;
  /** Compresses for a package that is installed at once and again, not for one that is passed on. */
  isQuick?: boolean;
}

const root = join(import.meta.dirname, '..');
/** Sources of native modules. */
const unwanted = /(?:better-sqlite3|bindings-cpp)[/\\](?:deps|src|binding\.gyp)(?:[/\\]|$)/;

/**
 * Makes `orangery-headless_VERSION_ARCH.deb` from the built program, with the Node that runs this: the service without
 * a window, its unit and the command line. Returns the path of the file. Needs `npm run build` and dpkg-deb.
 */
export function makeDeb({ output, isQuick = false }: DebOptions): string {
  const architecture = architectures[process.arch];
  if (architecture === undefined) throw new Error(`there is no package for ${process.arch}`);
  if (!existsSync(join(root, 'dist/main/cli.js'))) throw new Error('build it first: npm run build');
  mkdirSync(output, { recursive: true });
  const name = `orangery-headless_${packageJson.version}_${architecture}`;
  const tree = join(output, name);
  rmSync(tree, { recursive: true, force: true });
  try {
    copyProgram(join(tree, 'usr/lib/orangery'));
    copySystemFiles(tree);
    writeControl(tree, architecture);
    const file = join(output, `${name}.deb`);
    const compressed = isQuick ? ['-Zzstd', '-z1'] : ['-Zxz', '-z6'];
    execFileSync('dpkg-deb', ['--root-owner-group', ...compressed, '--build', tree, file], { stdio: 'pipe' });
    return file;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

function copyProgram(lib: string): void {
  mkdirSync(lib, { recursive: true });
  cpSync(process.execPath, join(lib, 'node'));
  const wanted = (from: string): boolean => !unwanted.test(from.slice(root.length));
  cpSync(join(root, 'dist'), join(lib, 'dist'), {
    recursive: true,
    filter: (from) => !from.endsWith('.map') && !from.endsWith('/built'),
  });
  for (const name of ['build/orangery.js', 'build/check-node.cjs', 'package.json', 'LICENSE']) {
    cpSync(join(root, name), join(lib, name));
  }
  for (const name of runtimePackages()) {
    cpSync(join(root, name), join(lib, name), {
      recursive: true,
      filter: (from) => wanted(from) && isOfThisMachine(from),
    });
  }
}

/** Packages that are not in the bundle, with their dependencies: paths in node_modules, as in the lock file. */
function runtimePackages(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>; // npm's lock file, version 3
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path.startsWith('node_modules/') && dev !== true && devOptional !== true)
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)));
}

/** Of prebuilt modules, only those for this machine. */
function isOfThisMachine(from: string): boolean {
  const [, folder, entry] = /(prebuilds)[/\\]([^/\\]+)/.exec(from) ?? [];
  if (folder === undefined || entry === undefined) return true;
  return entry.startsWith(`${process.platform}-`) && entry.includes(process.arch);
}

function copySystemFiles(tree: string): void {
  const files: [from: string, to: string, mode: number][] = [
    ['orangery.sh', 'usr/bin/orangery', 0o755],
    ['orangery.service', 'usr/lib/systemd/system/orangery.service', 0o644],
    ['sysusers.conf', 'usr/lib/sysusers.d/orangery.conf', 0o644],
    ...(['postinst', 'prerm', 'postrm'] as const).map((name): [string, string, number] => [
      name,
      `DEBIAN/${name}`,
      0o755,
    ]),
  ];
  for (const [from, to, mode] of files) {
    mkdirSync(dirname(join(tree, to)), { recursive: true });
    cpSync(join(root, 'build/deb', from), join(tree, to));
    chmodSync(join(tree, to), mode);
  }
  const made: [text: string, to: string][] = [
    [manPage(packageJson.version), 'usr/share/man/man1/orangery.1.gz'],
    [completionOf('bash'), 'usr/share/bash-completion/completions/orangery'],
    [completionOf('zsh'), 'usr/share/zsh/vendor-completions/_orangery'],
    [completionOf('fish'), 'usr/share/fish/vendor_completions.d/orangery.fish'],
  ];
  for (const [text, to] of made) {
    mkdirSync(dirname(join(tree, to)), { recursive: true });
    writeFileSync(join(tree, to), to.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text);
  }
  const doc = join(tree, 'usr/share/doc/orangery-headless');
  mkdirSync(doc, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(doc, 'copyright'));
  cpSync(licenceOfNode(), join(doc, 'LICENSE.node'));
}

/** The licence of the packed Node, which its package ships. */
function licenceOfNode(): string {
  const name = `node-${process.platform}-${process.arch}`;
  const places = ['node_modules/node/node_modules', 'node_modules']; // where npm puts it depends on what else there is
  const file = places.map((place) => join(root, place, name, 'LICENSE')).find((one) => existsSync(one));
  if (file === undefined) throw new Error("Node's licence is not there: its binary may not be passed on without it");
  return file;
}

function writeControl(tree: string, architecture: string): void {
  const fields = {
    Package: 'orangery-headless',
    Version: packageJson.version,
    Architecture: architecture,
    Maintainer: 'Orangery maintainers <maintainers@orangery.example>',
    Section: 'science',
    Priority: 'optional',
    'Installed-Size': String(Math.ceil(sizeOf(tree) / 1024)),
    Depends: 'libc6 (>= 2.28), libstdc++6, systemd',
    Description: `${packageJson.description}\n The service without a window, for a machine that stands in the greenhouse. Its pages are opened in a browser.`,
  };
  const text = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(join(tree, 'DEBIAN/control'), text.join(''));
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .reduce((sum, one) => sum + statSync(join(one.parentPath, one.name)).size, 0);
}

if (import.meta.main) console.log(makeDeb({ output: join(root, 'release') }));

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterTest } from './cleanup.ts';
import { endIn } from './service-process.ts';

const root = join(import.meta.dirname, '../..');

/** The service of the tree, as its builder writes it. */
const service = `export async function serve() {
  process.on('SIGTERM', () => process.exit(0));
  setInterval(() => undefined, 1e6);
  console.log('ready https://localhost:1');
}`;

/** Replaces the bundler: writes to both streams, records that it ran, takes as long as it is asked to. */
const builder = `const { mkdirSync, writeFileSync, appendFileSync } = require('node:fs');
console.log('vite says how large everything is');
appendFileSync('builds', 'x');
setTimeout(() => {
  mkdirSync('dist/main', { recursive: true });
  writeFileSync('dist/main/main.js', ${JSON.stringify(service)});
  writeFileSync('dist/built', '');
  process.exit(Number(process.env.BUILD_CODE ?? 0));
}, Number(process.env.BUILD_MS ?? 0));`;

/** Replaces Electron's installer: puts a program in the place of the binary. */
const installer = `const { mkdirSync, writeFileSync, chmodSync } = require('node:fs');
mkdirSync(__dirname + '/dist', { recursive: true });
writeFileSync(__dirname + '/dist/electron', '#!/bin/sh\\necho window of $1\\n');
chmodSync(__dirname + '/dist/electron', 0o755);
writeFileSync(__dirname + '/path.txt', 'electron');`;

/** The output of a start, and how it ended. */
export interface Started {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  /** Exit code; null after a signal. */
  ended: Promise<number | null>;
}

/** A small project with the real start script; bundler, installer and service are stand-ins of a few lines. */
export class StartTree {
  readonly folder = mkdtempSync(join(tmpdir(), 'orangery-start-'));

  constructor() {
    afterTest(() => endIn(this.folder));
    for (const name of ['start.ts', 'electron-binary.ts', 'up-to-date.ts']) {
      cpSync(join(root, 'build', name), join(this.folder, 'build', name));
    }
    this.write('package.json', '{"type":"module"}');
    this.write('server/main.ts', '');
    this.write('node_modules/vite/package.json', '{"type":"commonjs"}');
    this.write('node_modules/vite/bin/vite.js', builder);
    this.write('node_modules/electron/package.json', '{"type":"commonjs"}');
    this.write('node_modules/electron/install.js', installer);
  }

  write(name: string, content: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), content);
  }

  has(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  /** Puts a shell script in the place of the Electron binary. */
  installElectron(script: string): void {
    this.write('node_modules/electron/dist/electron', `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.folder, 'node_modules/electron/dist/electron'), 0o755);
  }

  /** Runs the start like npm does. By default without a display, not under CI and not headless. */
  start(env: Record<string, string> = {}): Started {
    return this.run([process.execPath, join(this.folder, 'build/start.ts')], env);
  }

  run([program = '', ...args]: string[], env: Record<string, string>): Started {
    const clean = { PATH: process.env['PATH'] ?? '', HOME: this.folder };
    const child = spawn(program, args, {
      cwd: this.folder,
      env: { ...clean, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (text: Buffer) => (out += text.toString()));
    child.stderr.on('data', (text: Buffer) => (err += text.toString()));
    const ended = once(child, 'close').then(([code]) => code as number | null); // the event's first argument
    return { child, out: () => out, err: () => err, ended };
  }
}

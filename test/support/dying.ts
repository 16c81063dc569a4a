/**
 * Loaded before a program (`--import`): kills it the DIE_AT-th time that it is about to change a file or a database. At
 * a normal end it prints how many such times there were.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import Database from 'better-sqlite3';

const dieAt = Number(process.env['DIE_AT'] ?? 0);
let count = 0;

function beforeEach(owner: object, names: readonly string[]): void {
  for (const name of names) {
    const own = Reflect.get(owner, name) as (...args: unknown[]) => unknown; // each is a function
    Reflect.set(owner, name, function dying(this: unknown, ...args: unknown[]) {
      count += 1;
      if (count === dieAt) process.kill(process.pid, 'SIGKILL');
      return own.apply(this, args);
    });
  }
}

beforeEach(fs, [
  'openSync',
  'writeSync',
  'writeFileSync',
  'fsyncSync',
  'renameSync',
  'rmSync',
  'mkdirSync',
  'copyFileSync',
  'linkSync',
  'write',
]);
beforeEach(fs.promises, ['open', 'copyFile', 'writeFile', 'rename', 'rm', 'mkdir']);
beforeEach(Database.prototype, ['exec', 'pragma', 'prepare', 'close']);
syncBuiltinESMExports();
process.on('exit', () => fs.writeSync(1, String(count)));

#!/usr/bin/env node
// The `orangery` command: the bundle where it was built, else the sources as they are.
import './check-node.cjs';
import { existsSync } from 'node:fs';

const built = new URL('../dist/main/cli.js', import.meta.url);
const source = new URL('../server/cli.ts', import.meta.url);
const { run } = await import(existsSync(built) ? built.href : source.href);

// Who reads on, as `head`, may leave before the end: a command ends as it would have, and a service goes on.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: (line) => process.stdout.write(`${line}\n`),
  stderr: (line) => process.stderr.write(`${line}\n`),
});

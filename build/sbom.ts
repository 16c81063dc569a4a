import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');
const bill = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(z.looseObject({ name: z.string(), version: z.string(), scope: z.string().optional() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() })).optional(),
});

/** `name - version (licence)`: the heading of each package's notice that the bundler writes. */
const heading = /^## (\S+) - (\S+) \(/gm;

/** name@version of everything in the bundles. */
function bundled(dist: string): Set<string> {
  const found = new Set<string>();
  for (const part of readdirSync(dist, { withFileTypes: true }).filter((one) => one.isDirectory())) {
    const file = join(dist, part.name, 'THIRD-PARTY.md');
    if (!readdirSync(join(dist, part.name)).includes('THIRD-PARTY.md')) continue;
    for (const [, name, version] of readFileSync(file, 'utf8').matchAll(heading)) found.add(`${name}@${version}`);
  }
  return found;
}

/** npm's own bill of the lock file. */
function billOfLockFile(): z.infer<typeof bill> {
  const asked = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const npm = process.env['npm_execpath'];
  const [command, args] = npm === undefined ? ['npm', asked] : [process.execPath, [npm, ...asked]];
  // With NODE_ENV=production, which the bundler sets, npm would leave out what is bundled here as a development
  // dependency.
  const env = { ...process.env, NODE_ENV: 'development' };
  const text = execFileSync(command, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return bill.parse(JSON.parse(text));
}

/**
 * Writes the bill of materials of the built program (CycloneDX): npm's, reduced to what is in the bundles or beside
 * them. Build and test dependencies are left out. Returns name@version of bundled packages that npm does not know.
 */
export function writeBill(dist: string, file: string): string[] {
  const inside = bundled(dist);
  const kept = billOf(billOfLockFile(), inside);
  writeFileSync(file, JSON.stringify(kept));
  const refs = new Set(kept.components.map(refOf));
  return [...inside].filter((one) => !refs.has(one));
}

/** The part of a bill to keep: the components inside or beside, and the dependencies between these and the program. */
export function billOf(all: z.infer<typeof bill>, inside: ReadonlySet<string>): z.infer<typeof bill> {
  const kept = all.components.filter(
    (one) => inside.has(refOf(one)) || one.scope === 'required' || runtimes.includes(one.name),
  );
  const refs = new Set([...kept.map(refOf), all.metadata.component['bom-ref']]);
  const dependencies = all.dependencies
    ?.filter((one) => refs.has(one.ref))
    .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter((other) => refs.has(other)) }));
  return { ...all, components: kept.map((one) => ({ ...one, scope: 'required' })), dependencies };
}

/** The runtimes: the shell brings its Electron, with Chromium and its Node, and the headless package a Node. */
const runtimes = ['electron', 'node'];

function refOf({ name, version }: { name: string; version: string }): string {
  return `${name}@${version}`;
}

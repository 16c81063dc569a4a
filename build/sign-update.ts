import { createHash, createPrivateKey, sign } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { feedName, signatureName, type UpdateFeed, type UpdateFile } from '../electron/updates/feed.ts';
import { programVersion } from '../server/version.ts';

const endings: Readonly<Record<string, UpdateFile['kind']>> = {
  '.AppImage': 'appimage',
  '.deb': 'deb',
  '.exe': 'nsis',
  '.dmg': 'dmg',
};

/**
 * Writes a description of a folder's packages beside them, and signs it with an Ed25519 key (PEM). Returns the names
 * that it lists.
 */
export async function signUpdate(
  folder: string,
  { version, key }: { version: string; key: string },
): Promise<string[]> {
  const names = readdirSync(folder).filter((name) => kindOf(name) !== undefined && !name.includes('headless'));
  const files = await Promise.all(names.map((name) => describe(folder, name)));
  const feed: UpdateFeed = { format: 'orangery-update', version, released_at: new Date().toISOString(), files };
  const bytes = Buffer.from(`${JSON.stringify(feed, null, 2)}\n`);
  writeFileSync(join(folder, feedName), bytes);
  writeFileSync(join(folder, signatureName), sign(null, bytes, createPrivateKey(key)).toString('base64'));
  return names;
}

async function describe(folder: string, name: string): Promise<UpdateFile> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(join(folder, name)), hash);
  const kind = kindOf(name) ?? 'appimage'; // it was chosen by its kind
  const arch = /arm64|aarch64/.test(name) ? 'arm64' : 'x64';
  return { name, kind, arch, bytes: statSync(join(folder, name)).size, sha512: hash.digest('hex') };
}

function kindOf(name: string): UpdateFile['kind'] | undefined {
  return Object.entries(endings).find(([ending]) => name.endsWith(ending))?.[1];
}

if (import.meta.main) {
  const [, , keyFile] = process.argv;
  if (keyFile === undefined) throw new Error('name the file of the private key: npm run package:sign -- KEY.pem');
  const key = readFileSync(keyFile, 'utf8');
  const folder = join(import.meta.dirname, '../release');
  for (const name of await signUpdate(folder, { version: programVersion(), key })) console.log(name);
}

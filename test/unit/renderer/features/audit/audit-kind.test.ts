import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isKnownKind } from '../../../../../renderer/features/audit/audit-kind.ts';
import { jobKinds } from '../../../../../server/contract/job.ts';

const server = join(import.meta.dirname, '../../../../../server');

it('has words for every kind of record that the server writes', () => {
  const sources = globSync('{api,auth,services}/**/*.ts', { cwd: server });
  const kinds = sources.flatMap((file) =>
    [...readFileSync(join(server, file), 'utf8').matchAll(/\bkind: '([a-z_]+\.[a-z_]+)'/g)].map(
      ([, kind = '']) => kind,
    ),
  );
  expect(kinds.length).toBeGreaterThan(40);
  // A job is told as one, not recorded as a deed.
  const ofJobs: readonly string[] = jobKinds;
  expect(kinds.filter((kind) => !isKnownKind(kind) && !ofJobs.includes(kind))).toEqual([]);
});

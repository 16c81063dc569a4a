import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leaned } from '../../../build/lean-contract.ts';

it('leaves of an endpoint what calls it, and marks what is made', () => {
  const code = `const name = z.string().min(1);
export const mapEndpoints = { list: endpoint({ ...shared, method: 'GET', path: '/api/maps', query: z.strictObject({ name }), answer: maps }) };
export const most = 3;`;
  expect(leaned(code)).toBe(`const name = /* @__PURE__ */ (() => (z.string().min(1)))();
export const mapEndpoints = /* @__PURE__ */ (() => ({ list: endpoint({ ...shared, method: 'GET', path: '/api/maps' }) }))();
export const most = 3;`);
});

it('is built into a page that reads no schema of an endpoint', () => {
  const renderer = join(import.meta.dirname, '../../../renderer');
  const readers = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|vue)$/.test(file))
    .filter((file) =>
      /Endpoints(\.\w+){1,2}[?!]?\.(params|query|body|answer|tag|summary|statuses|errors|goesSafe)\b/.test(
        readFileSync(join(renderer, file), 'utf8'),
      ),
    );
  expect(readers).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { pipeRoutes } from '../../../server/api/routes/pipe.ts';
import { builtInRoles } from '../../../server/contract/permission.ts';
import { actor } from '../../support/accounts.ts';

const [route] = pipeRoutes({
  pipes: { generate: () => Promise.resolve('a plan') } as never, // all that the route asks of it
  jobs: {} as never,
});

async function asked(
  role: 'Guest' | 'Monitor' | 'Editor',
  scope: 'full' | 'readonly',
  save: boolean,
): Promise<unknown> {
  const by = { ...actor({ permissions: builtInRoles[role] ?? [] }), scope };
  const request = { params: {}, query: {}, body: { geo_id: 'map', device_ids: ['a', 'b'], save }, actor: by };
  try {
    return await route?.handle(request as never); // its validator has run
  } catch (error) {
    return (error as { code: string }).code; // a refusal
  }
}

describe('POST generate-pipes', () => {
  it.each([
    ['Guest', 'full', false, 'a plan'],
    ['Guest', 'full', true, 'forbidden'],
    ['Monitor', 'full', true, 'forbidden'],
    ['Editor', 'full', true, 'a plan'],
    ['Editor', 'readonly', true, 'readonly_key'],
    ['Editor', 'readonly', false, 'a plan'],
  ] as const)('by %s with a %s key, saved: %s', async (role, scope, save, expected) => {
    expect(await asked(role, scope, save)).toBe(expected);
  });
});

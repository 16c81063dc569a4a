import { expect, it } from 'vitest';
import { contractEndpoints } from '../../support/contract-endpoints.ts';

it('what is read of the map needs only a login, but for what README.md names', () => {
  const others = contractEndpoints
    .filter(({ method, path, access }) => method === 'GET' && path.startsWith('/api/geo/') && access !== 'login')
    .map(({ path, access }) => [path, access]);
  expect(others).toEqual([
    ['/api/geo/facility/:facility_uuid/climate/live', 'view_stats'],
    ['/api/geo/facility/:facility_uuid/climate/history', 'edit_controllers'],
    ['/api/geo/init_design', 'edit_settings'],
  ]);
});

import { expect, it } from 'vitest';
import { isEditing } from '../../../server/contract/permission.ts';
import { contractEndpoints } from '../../support/contract-endpoints.ts';

/**
 * Calls that only work something out, and those before a key means anything. `generate-pipes` looks at `save` itself.
 */
const allowed = [
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'POST /api/auth/setup',
  'POST /api/geo/facility/:facility_uuid/climate/preview',
  'POST /api/geo/facility/:facility_uuid/climate/rehearse',
  'POST /api/geo/facility/compute',
  'POST /api/geo/facility/study',
  'POST /api/geo/generate-pipes',
  'POST /api/geo/parcel/at',
  'POST /api/geo/parcel/from_address',
  'POST /api/geo/parcel/from_csv',
  'POST /api/geo/parcel/merge',
  'POST /api/geo/read-pipes',
  'POST /api/settings/conditionals/check',
];

it('a read-only key changes nothing: what is not GET is either refused or named here', () => {
  const open = contractEndpoints
    .filter(({ method, access, changesState }) => method !== 'GET' && !isEditing(access) && changesState !== true)
    .map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(open)].toSorted()).toEqual(allowed);
});

import { describe, expect, it } from 'vitest';
import { allRoutes, type Services } from '../../../server/api/routes/index.ts';
import type { Endpoint } from '../../../server/contract/endpoint.ts';
import { contractEndpoints } from '../../support/contract-endpoints.ts';
import { declarationFaults, describeMatrix } from '../../support/matrix.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';

/** Stands for every service: the matrix asks for refusals, which come before any service is called. */
const unused: object = new Proxy({}, { get: () => unused });
const routes = allRoutes(unused as Services);

describe('the matrix of refusals', () => {
  describeMatrix([...routes, ...sampleRoutes()]);
});

describe('the routes', () => {
  it('serve every endpoint of the contract, and nothing else', () => {
    const names = (endpoints: readonly Endpoint[]) => endpoints.map(({ method, path }) => `${method} ${path}`).sort();
    expect(names(routes.map((route) => route.endpoint))).toEqual(names(contractEndpoints));
  });
});

describe('declarationFaults', () => {
  it('finds a route without access', () => {
    const [route] = sampleRoutes();
    if (!route) throw new Error('no sample');
    const { access: _, ...without } = route.endpoint;
    // What a route in plain JavaScript, or past the type checker, could be.
    const faults = declarationFaults({ ...route, endpoint: without as typeof route.endpoint });
    expect(faults).toEqual(['access is undefined']);
  });

  it('finds parameters that the path does not name', () => {
    const [route] = sampleRoutes();
    if (!route) throw new Error('no sample');
    const faults = declarationFaults({ ...route, endpoint: { ...route.endpoint, path: '/api/samples/:other' } });
    expect(faults).toHaveLength(1);
  });
});

import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from '../../../server/api/openapi.ts';
import type { Route } from '../../../server/api/route.ts';
import { errorStatus } from '../../../server/contract/errors.ts';
import { contractEndpoints as endpoints } from '../../support/contract-endpoints.ts';

const routes: Route[] = endpoints.map((endpoint) => ({ endpoint, handle: () => undefined }));

const operation = z.looseObject({
  operationId: z.string(),
  'x-access': z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const shape = z.looseObject({
  openapi: z.string(),
  'x-error-codes': z.array(z.object({ status: z.int(), code: z.string(), meaning: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});
const document = shape.parse(JSON.parse(JSON.stringify(buildOpenApi(routes, '1.2.3'))));

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('describes every route with its permission, and operation ids that differ', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(endpoints.length);
    expect(new Set(operations.map((one) => one.operationId)).size).toBe(endpoints.length);
    for (const { method, path, access } of endpoints) {
      const described = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      expect(described?.['x-access']).toBe(access);
      expect(described?.security.length === 0).toBe(access === 'public');
    }
  });

  it('lists every error code of the closed list, and each declared one at its endpoint', () => {
    expect(document.components.schemas.errorCode?.enum).toEqual(Object.keys(errorStatus));
    for (const { method, path, errors = [] } of endpoints) {
      const responses = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses;
      for (const code of errors) expect(responses?.[errorStatus[code]]?.description.split(', ')).toContain(code);
    }
  });

  it('says of every error code what it means', () => {
    const table = document['x-error-codes'];
    const codes = table.map(({ code }) => code);
    expect(table.every(({ code, meaning }) => meaning.length > 10 && !/[<&>]/.test(code + meaning))).toBe(true);
    expect(codes.sort()).toEqual(Object.keys(errorStatus).sort());
  });

  it('names its schemas and resolves each reference', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(references.length).toBeGreaterThan(100);
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\/schemas\/\w+$/);
      expect(Object.keys(document.components.schemas)).toContain(reference.split('/').at(-1));
    }
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['design', 'facility', 'session', 'uuid']),
    );
  });
});

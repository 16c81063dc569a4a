import { spawnSync } from 'node:child_process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { validate } from '@readme/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from '../../../server/api/openapi.ts';
import type { Route } from '../../../server/api/route.ts';
import { errorStatus } from '../../../server/contract/errors.ts';
import { bodyExamples } from '../../../server/contract/examples.ts';
import { hasPythonModule } from '../../support/peer.ts';
import { driverList } from '../../../server/contract/drivers/index.ts';
import { contractEndpoints as endpoints } from '../../support/contract-endpoints.ts';

const routes: Route[] = endpoints.map((endpoint) => ({ endpoint, handle: () => undefined }));

const operation = z.looseObject({
  operationId: z.string(),
  'x-access': z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.looseObject({ schema: z.looseObject({}), example: z.unknown().optional() })),
  responses: z.record(
    z.string(),
    z.looseObject({
      description: z.string(),
      headers: z.record(z.string(), z.looseObject({})).optional(),
      content: z
        .record(z.string(), z.looseObject({ schema: z.looseObject({}), example: z.unknown().optional() }))
        .optional(),
    }),
  ),
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

  it('is valid for a validator of other authors too', async () => {
    expect(await validate(structuredClone(document) as never)).toMatchObject({ valid: true, warnings: [] }); // typed looser here
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

  it('shows a body of every call that takes one, and no other, each as the call takes it', () => {
    const taking = endpoints.filter(({ body }) => body !== undefined);
    expect(Object.keys(bodyExamples).sort()).toEqual(taking.map(({ method, path }) => `${method} ${path}`).sort());
    for (const { method, path, body } of taking) {
      const example = bodyExamples[`${method} ${path}`];
      expect([path, body?.safeParse(example).error?.issues ?? []]).toEqual([path, []]);
    }
  });

  it('shows a value of every parameter and every answer that fits its schema', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    const absolute = (schema: unknown) =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')) as object; // the same, referred from outside
    let shown = 0;
    for (const described of Object.values(document.paths).flatMap((path) => Object.values(path))) {
      const answers = Object.values(described.responses).flatMap(({ content }) => Object.values(content ?? {}));
      for (const { schema, example } of [...described.parameters, ...answers]) {
        if (example === undefined) continue;
        shown += 1;
        const validate = ajv.compile(absolute(schema));
        expect([described.operationId, validate(example) ? [] : validate.errors, example]).toEqual([
          described.operationId,
          [],
          example,
        ]);
      }
    }
    expect(shown).toBeGreaterThan(endpoints.length);
  }, 60_000); // a validator for each of a thousand schemas

  it('names the headers of its answers', () => {
    const headersOf = (path: string, method: string, status: number) =>
      Object.keys(document.paths[path]?.[method]?.responses[status]?.headers ?? {});
    expect(headersOf('/api/geo/overlays', 'get', 304)).toContain('ETag');
    expect(headersOf('/api/notes', 'post', 201)).toEqual(expect.arrayContaining(['Location', 'Deprecation', 'Link']));
    expect(headersOf('/api/notes', 'post', 429)).toContain('Retry-After');
    expect(headersOf('/api/notes', 'post', 401)).toContain('WWW-Authenticate');
    expect(headersOf('/api/health', 'get', 503)).toContain('Retry-After');
    expect(headersOf('/api/health', 'get', 200)).not.toContain('Deprecation');
  });

  it('says what making something needs beside what changing it does', () => {
    const { designSave, facilitySave } = document.components.schemas;
    expect(designSave?.['x-required-on-create']).toEqual(['name', 'lat', 'lng', 'zoom']);
    expect(facilitySave?.['x-required-on-create']).toEqual(['name', 'shape_uuid', 'envelope']);
  });

  it.skipIf(!hasPythonModule('re'))('has patterns that Python reads as ECMAScript does', () => {
    const patterns = [
      ...new Set([...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, one]) => one)),
    ];
    expect(patterns.length).toBeGreaterThan(10);
    const script = 'import json,re,sys\nfor one in json.load(sys.stdin): re.compile(one)';
    const ran = spawnSync('python3', ['-c', script], { input: `[${patterns.join(',')}]`, encoding: 'utf8' });
    expect([ran.status, ran.stderr]).toEqual([0, '']);
  });

  it('has the options of every driver', () => {
    for (const [name, { options }] of driverList) {
      const { properties } = z.toJSONSchema(options, { io: 'input' });
      const described = document.components.schemas[`${name}DriverOptions`]?.['properties'] ?? {};
      expect(Object.keys(described), name).toEqual(Object.keys(properties ?? {}));
    }
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

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { nextCursor, pageQuery } from './page.ts';
import { moment, timestamp } from './time.ts';

export const keyScope = z.enum(['full', 'readonly']);
const keyName = z.string().trim().min(1).max(100);

export const apiKey = z.strictObject({
  key_id: uuid,
  name: keyName,
  scope: keyScope,
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().describe('To the minute'),
  revoked_at: timestamp.nullable().describe('Since when it opens nothing for good; its expires_at where it ran out'),
});
export type ApiKey = z.infer<typeof apiKey>;

export const newApiKey = z.strictObject({
  key_id: uuid,
  name: keyName,
  scope: keyScope,
  key: z.base64().describe('128 random bytes, base64. Shown this once'),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
});
export type NewApiKey = z.infer<typeof newApiKey>;

export const apiKeyCreate = z.strictObject({
  name: keyName,
  scope: keyScope.optional().describe('full when absent'),
  expires_at: moment.nullable().optional().describe('Never when absent or null'),
});
export type ApiKeyCreate = z.infer<typeof apiKeyCreate>;

const userParams = z.strictObject({ user_id: uuid });
const keyParams = z.strictObject({ user_id: uuid, key_id: uuid });

export const apiKeyEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings/users/:user_id/api_keys',
    tag: 'users',
    summary: 'List the API keys of a user, revoked ones too; own keys need no permission',
    access: 'login',
    params: userParams,
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ api_keys: z.array(apiKey), next_cursor: nextCursor }),
    statuses: [200],
    errors: ['forbidden', 'not_found'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/settings/users/:user_id/api_keys/:key_id',
    tag: 'users',
    summary: 'Read an API key of a user, without the key itself; own keys need no permission',
    access: 'login',
    params: keyParams,
    answer: apiKey,
    statuses: [200],
    errors: ['forbidden', 'not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/settings/users/:user_id/api_keys',
    tag: 'users',
    summary: 'Make an API key; own keys need no permission',
    access: 'login',
    params: userParams,
    body: apiKeyCreate,
    answer: newApiKey,
    statuses: [201],
    errors: ['not_found', 'forbidden', 'readonly_key'],
    changesState: true,
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/settings/users/:user_id/api_keys/:key_id',
    tag: 'users',
    summary: 'Revoke an API key, once; the record stays',
    access: 'login',
    params: keyParams,
    answer: apiKey,
    statuses: [200],
    errors: ['not_found', 'forbidden', 'readonly_key', 'conflict'],
    changesState: true,
  }),
};

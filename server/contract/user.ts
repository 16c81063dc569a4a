import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { language } from './language.ts';
import { nextCursor, pageQuery } from './page.ts';
import { timestamp } from './time.ts';
import { ruled, why } from './refusal-reason.ts';

/** Published for programs without Unicode classes, which the regular expressions of some languages lack. */
const publishedName = /^[^\s!-,/:-?[-^`{-~]{1,64}$/;
const lettersOfName = /^[\p{L}\p{N}._@-]*$/u;
export const username = z
  .string()
  // One check for both, as `regex` gives no reason of its own.
  .check(({ value: input, issues }) => {
    if (publishedName.test(input) && lettersOfName.test(input)) return;
    issues.push({ code: 'invalid_format', format: 'regex', input, ...ruled(why('username_form')) });
  })
  .meta({
    pattern: publishedName.source,
    description: '1 to 64 letters, digits and . _ @ -; one account whatever its case',
  });
/** What makes a password weak: the `code` of its field when it is refused as `weak_password`. */
export const passwordWeaknesses = ['too_short', 'too_common', 'is_username', 'too_uniform'] as const;
export type PasswordWeakness = (typeof passwordWeaknesses)[number];

export const leastPasswordLength = 10; // characters
export const newPassword = z
  .string()
  .min(leastPasswordLength)
  .max(256)
  .describe(`At least ${leastPasswordLength} characters, not a common one`);
export const password = z.string().min(1).max(256);
const email = z.email().max(254).nullable();
const roleName = z.string().min(1).max(64).describe('Name of a role');

export const user = z.strictObject({
  unique_id: uuid,
  username,
  role: roleName,
  email: z.string().nullable(),
  language: language.nullable(),
  is_enabled: z.boolean().describe('A disabled user can do nothing, neither log in nor use a key'),
  last_login_at: timestamp.nullable(),
});
export type User = z.infer<typeof user>;

export const userCreate = z.strictObject({
  username,
  password: newPassword,
  role: roleName,
  email: email.optional(),
  language: language.nullable().optional(),
  is_enabled: z.boolean().optional().describe('true when absent'),
});
export type UserCreate = z.infer<typeof userCreate>;

export const userUpdate = z.strictObject({
  unique_id: uuid.optional().describe('Read only'),
  username: z.string().optional().describe('Read only'),
  last_login_at: z.string().nullable().optional().describe('Read only'),
  role: roleName.optional(),
  email: email.optional(),
  language: language.nullable().optional(),
  is_enabled: z.boolean().optional(),
  password: newPassword.optional(),
  current_password: password.optional().describe('Needed with a new password of your own'),
});
export type UserUpdate = z.infer<typeof userUpdate>;

const userParams = z.strictObject({ user_id: uuid });

export const userEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings/users',
    tag: 'users',
    summary: 'List the users',
    access: 'edit_users',
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ users: z.array(user), next_cursor: nextCursor }),
    statuses: [200],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/settings/users',
    tag: 'users',
    summary: 'Make a user',
    access: 'edit_users',
    body: userCreate,
    answer: user,
    statuses: [201],
    errors: ['unknown_reference', 'already_exists', 'weak_password', 'rate_limited'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/settings/users/:user_id',
    tag: 'users',
    summary: 'Read a user; oneself without a permission',
    access: 'login',
    params: userParams,
    answer: user,
    statuses: [200],
    errors: ['forbidden', 'not_found'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/settings/users/:user_id',
    tag: 'users',
    summary:
      'Change a user; own email, language and password without a permission. A new password or role ends the other sessions',
    access: 'login',
    params: userParams,
    body: userUpdate,
    answer: user,
    statuses: [200],
    errors: [
      'unknown_reference',
      'read_only_field',
      'weak_password',
      'wrong_password',
      'forbidden',
      'not_found',
      'last_admin',
      'rate_limited',
      'locked_out',
    ],
    changesState: true,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/settings/users/:user_id',
    tag: 'users',
    summary: 'Delete a user with sessions and keys; what the user did stays in the audit',
    access: 'edit_users',
    params: userParams,
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['not_found', 'last_admin'],
  }),
  removeTotp: endpoint({
    method: 'DELETE',
    path: '/api/settings/users/:user_id/totp',
    tag: 'users',
    summary: 'Take away the second factor of a user who lost it',
    access: 'edit_users',
    params: userParams,
    answer: z.strictObject({ is_enabled: z.literal(false) }),
    statuses: [200],
    errors: ['not_found', 'conflict'],
  }),
};

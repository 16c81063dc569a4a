import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { permission } from './permission.ts';
import { timestamp } from './time.ts';
import { newPassword, password, user, username } from './user.ts';

export const session = z.strictObject({
  user,
  permissions: z.array(permission),
  csrf_token: z.string().describe('Send back as X-CSRF-Token with every modifying request'),
});
export type Session = z.infer<typeof session>;

const login = z.strictObject({
  username: z.string().min(1).max(64),
  password,
  totp: z.string().max(64).optional().describe('Six digits of the authenticator, or a recovery code'),
});
export type Login = z.infer<typeof login>;

const setup = z.strictObject({ setup_token: z.string().min(1).max(256), username, password: newPassword });
export type Setup = z.infer<typeof setup>;

export const sessionListed = z.strictObject({
  session_id: uuid,
  created_at: timestamp,
  last_seen_at: timestamp.describe('To the minute'),
  expires_at: timestamp.describe('At the latest'),
  address: z.string().nullable().describe('From where it was begun'),
  is_current: z.boolean().describe('This call came by it'),
});
export type SessionListed = z.infer<typeof sessionListed>;

export const authEndpoints = {
  setup: endpoint({
    method: 'POST',
    path: '/api/auth/setup',
    tag: 'auth',
    summary: 'Make the first administrator with the token that the start printed',
    access: 'public',
    body: setup,
    answer: z.strictObject({ user }),
    statuses: [201],
    errors: ['setup_token_invalid', 'already_set_up', 'weak_password', 'rate_limited'],
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    tag: 'auth',
    summary: 'Log in: answers the session and sets its cookie',
    access: 'public',
    body: login,
    answer: session,
    statuses: [200],
    errors: ['invalid_credentials', 'totp_required', 'totp_invalid', 'locked_out', 'rate_limited'],
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    tag: 'auth',
    summary: 'End the session',
    access: 'login',
    answer: z.strictObject({ logged_out: z.literal(true) }),
    statuses: [200],
    errors: ['forbidden'],
  }),
  session: endpoint({
    method: 'GET',
    path: '/api/auth/session',
    tag: 'auth',
    summary: 'Who is logged in, with a CSRF token where the call came by cookie',
    access: 'login',
    answer: session.extend({ csrf_token: z.string().nullable() }),
    statuses: [200],
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    tag: 'auth',
    summary: 'List your sessions that have not ended, the last used first',
    access: 'login',
    answer: z.strictObject({ sessions: z.array(sessionListed) }),
    statuses: [200],
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/:session_id',
    tag: 'auth',
    summary: 'End one of your sessions',
    access: 'login',
    params: z.strictObject({ session_id: uuid }),
    answer: z.strictObject({ session_id: uuid, ended: z.literal(true) }),
    statuses: [200],
    errors: ['not_found'],
    changesState: true,
  }),
  state: endpoint({
    method: 'GET',
    path: '/api/auth/state',
    tag: 'auth',
    summary: 'Whether the first administrator has been made',
    access: 'public',
    answer: z.strictObject({ is_set_up: z.boolean() }),
    statuses: [200],
  }),
};

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { severity } from './facility-live.ts';
import { name, uuid } from './identifier.ts';
import { language } from './language.ts';
import { secretSent, secretSet } from './secret.ts';
import { nextCursor, pageQuery } from './page.ts';
import { timestamp } from './time.ts';
import { ruled, why } from './refusal-reason.ts';

const mailAddress = z.email().max(254);
const port = z.int().min(1).max(65_535).describe('TCP port, 1 to 65535');
const minuteOfDay = z.int().min(0).max(1_439);

export const emailOptions = z.strictObject({
  kind: z.literal('email'),
  host: z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/, 'must be a host name or address'),
  port,
  security: z
    .enum(['tls', 'starttls', 'none'])
    .describe('tls: from the first byte, mostly port 465; starttls: mostly 587'),
  username: z.string().max(254).nullable().optional().describe('Log-in at the mail server; the secret is its password'),
  from: mailAddress,
  to: z.array(mailAddress).min(1).max(20),
});
export const mqttOptions = z.strictObject({
  kind: z.literal('mqtt'),
  url: z
    .string()
    .max(500, { abort: true })
    .regex(/^mqtts?:\/\/[^\s/@]+\/?$/, 'must be mqtt:// or mqtts:// with host and port'),
  username: z.string().max(254).nullable().optional().describe('Log-in at the broker; the secret is its password'),
  topic: z
    .string()
    .min(1)
    .max(500, { abort: true })
    .regex(/^[^+#\0]+$/, 'must be a topic without wildcards'),
});
export const webhookOptions = z
  .strictObject({
    kind: z.literal('webhook'),
    url: z
      .string()
      .max(1000, { abort: true })
      .regex(/^https?:\/\/[^\s@]+$/, 'must be an http(s) address without a password'),
    network: z
      .enum(['public', 'lan'])
      .describe('public: the internet, HTTPS only; lan: also addresses of the local network'),
  })
  .refine(({ url, network }) => network === 'lan' || url.startsWith('https://'), {
    path: ['url'],
    ...ruled(why('https_needed')),
  });
export const notificationOptions = z.discriminatedUnion('kind', [emailOptions, mqttOptions, webhookOptions]);
export type NotificationOptions = z.infer<typeof notificationOptions>;

/** Where a secret is sent and whether others can read it on the way: a stored secret does not move to another place. */
export function deliveryPlace(options: NotificationOptions): string {
  if (options.kind === 'email') return [options.kind, options.host, options.port, options.security].join(' ');
  const [origin = ''] = /^[a-z]+:\/\/[^/?#]*/i.exec(options.url) ?? [];
  return `${options.kind} ${origin.toLowerCase()}`;
}

/** Maximum messages waiting for one target. */
export const mostWaiting = 5_000;

const fields = {
  name,
  is_enabled: z.boolean(),
  min_severity: severity.describe('Alarms below it are not sent'),
  tells_end: z.boolean().describe('Also when an alarm is over'),
  language,
  most_per_minute: z
    .int()
    .min(1)
    .max(60)
    .describe(
      'Messages a minute, 1 to 60; what is more comes together in the next. Alarms never wait for messages of controllers',
    ),
  repeat_min: z
    .int()
    .min(5)
    .max(1_440)
    .nullable()
    .meta({ description: 'Again after so long while it is not acknowledged, 5 to 1440; null: once', unit: 'min' }),
  quiet_hours: z
    .strictObject({
      from_min: minuteOfDay.meta({ description: 'Minute of the day in the zone of the site, 0 to 1439', unit: 'min' }),
      to_min: minuteOfDay.meta({
        description: 'Before that minute, 0 to 1439; below from: over midnight',
        unit: 'min',
      }),
    })
    .nullable()
    .describe('Only emergencies are sent then; the rest follows together afterwards'),
  options: notificationOptions,
};

/** Why a message did not arrive; of a mail server that closes an encrypted line, `interrupted`. */
export const deliveryFaults = [
  ...(['unreachable', 'refused_address', 'timed_out', 'interrupted', 'not_trusted', 'not_encrypted'] as const),
  ...(['login_refused', 'recipient_refused', 'refused'] as const),
] as const;
export type DeliveryFault = (typeof deliveryFaults)[number];

export const notificationTarget = z.strictObject({
  unique_id: uuid,
  ...fields,
  secret: secretSet.nullable().describe('Password, or the key that signs a webhook'),
  waiting: z
    .int()
    .min(0)
    .max(mostWaiting)
    .describe('Alarms that wait to be told, 0 to 5000; then the oldest are given up'),
  last_result: z
    .strictObject({
      at: timestamp,
      is_delivered: z.boolean(),
      fault: z.enum(deliveryFaults).nullable().describe('Why not; null also when `message` alone says it'),
      message: z.string().describe('What the other side or the way there said, in its language'),
    })
    .nullable(),
});
export type NotificationTarget = z.infer<typeof notificationTarget>;

const secret = secretSent.nullable().optional();
const { name: targetName, options, ...rest } = fields;
export const notificationTargetCreate = z.strictObject({
  name: targetName,
  options,
  ...z.strictObject(rest).partial().shape,
  secret,
});
export type NotificationTargetCreate = z.infer<typeof notificationTargetCreate>;
export const notificationTargetPatch = z.strictObject({ ...z.strictObject(fields).partial().shape, secret });
export type NotificationTargetPatch = z.infer<typeof notificationTargetPatch>;

/** A target as shown to users who may have controllers send to it. */
export const notificationTargetChoice = z.strictObject({
  unique_id: uuid,
  name: fields.name,
  kind: z.enum(['email', 'mqtt', 'webhook']),
  is_enabled: z.boolean(),
});
export type NotificationTargetChoice = z.infer<typeof notificationTargetChoice>;

const params = z.strictObject({ notification_target_id: uuid });
const tag = 'notification_targets';
const path = '/api/settings/notification_targets';
const one = `${path}/:notification_target_id` as const;
const access = 'edit_users';

export const notificationTargetEndpoints = {
  list: endpoint({
    method: 'GET',
    path,
    tag,
    access,
    summary: 'Where alarms are sent to',
    statuses: [200],
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ notification_targets: z.array(notificationTarget), next_cursor: nextCursor }),
  }),
  create: endpoint({
    method: 'POST',
    path,
    tag,
    access,
    summary: 'Add one',
    statuses: [201],
    errors: ['read_only_field'],
    body: notificationTargetCreate,
    answer: notificationTarget,
  }),
  get: endpoint({
    method: 'GET',
    path: one,
    tag,
    access,
    summary: 'Read one',
    statuses: [200],
    params,
    answer: notificationTarget,
  }),
  change: endpoint({
    method: 'PATCH',
    path: one,
    tag,
    access,
    summary: 'Change one',
    statuses: [200],
    errors: ['read_only_field'],
    params,
    body: notificationTargetPatch,
    answer: notificationTarget,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: one,
    tag,
    access,
    summary: 'Delete one with what waits for it',
    statuses: [200],
    params,
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    errors: ['in_use'],
  }),
  choices: endpoint({
    method: 'GET',
    path: '/api/notification_targets',
    tag,
    access: 'edit_controllers',
    summary: 'Names of the targets that actions can send to',
    statuses: [200],
    answer: z.strictObject({ notification_targets: z.array(notificationTargetChoice) }),
  }),
  test: endpoint({
    method: 'POST',
    path: `${one}/test`,
    tag,
    access,
    summary: 'Send a test message now',
    statuses: [200],
    params,
    answer: notificationTarget,
    errors: ['delivery_failed'],
  }),
};

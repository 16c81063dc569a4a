import { clockOf, minuteOf } from '../../../../server/contract/clock-time.ts';
import type { Language } from '../../../../server/contract/language.ts';
import type { Severity } from '../../../../server/contract/facility-live.ts';
import {
  notificationTargetCreate,
  type NotificationOptions,
  type NotificationTarget,
  type NotificationTargetCreate,
} from '../../../../server/contract/notification-target.ts';
import type { SecretSent } from '../../../../server/contract/secret.ts';
import { limitOf, type Limit } from '../limit.ts';

type Kind = NotificationOptions['kind'];
type OptionsOf<One extends Kind> = Extract<NotificationOptions, { kind: One }>;
/** As typed: addresses in one line, a missing user name as an empty one. */
type EmailDraft = Omit<OptionsOf<'email'>, 'kind' | 'port' | 'to' | 'username'> & {
  port: number | null;
  to: string;
  username: string;
};
type MqttDraft = Omit<OptionsOf<'mqtt'>, 'kind' | 'username'> & { username: string };

/** A target as form values; entries for one kind survive a switch to another. */
export interface NotificationDraft {
  name: string;
  is_enabled: boolean;
  min_severity: Severity;
  tells_end: boolean;
  language: Language;
  most_per_minute: number | null;
  repeat_min: Limit;
  quiet: { isSet: boolean; from: string; to: string };
  kind: Kind;
  email: EmailDraft;
  mqtt: MqttDraft;
  webhook: Omit<OptionsOf<'webhook'>, 'kind'>;
  /** What will be sent: undefined keeps the stored secret, null removes it. */
  secret: SecretSent | null | undefined;
}

export const notificationKinds = ['email', 'mqtt', 'webhook'] as const satisfies readonly Kind[];

/** Initial values; `language` is that of a new target's messages. */
export function notificationDraftOf(target: NotificationTarget | null, language: Language = 'en'): NotificationDraft {
  const { options } = target ?? {};
  return {
    name: target?.name ?? '',
    is_enabled: target?.is_enabled ?? true,
    min_severity: target?.min_severity ?? 'warning',
    tells_end: target?.tells_end ?? false,
    language: target?.language ?? language,
    most_per_minute: target?.most_per_minute ?? 4,
    repeat_min: target === null ? { isSet: false, value: 30 } : limitOf(target.repeat_min),
    quiet: quietOf(target?.quiet_hours ?? null),
    kind: options?.kind ?? 'email',
    email: emailOf(options),
    mqtt: options?.kind === 'mqtt' ? { ...options, username: options.username ?? '' } : noMqtt,
    webhook: options?.kind === 'webhook' ? options : noWebhook,
    secret: undefined,
  };
}

const noMqtt: MqttDraft = { url: '', username: '', topic: 'orangery/alarms' };
const noWebhook: NotificationDraft['webhook'] = { url: '', network: 'public' };

function emailOf(options: NotificationOptions | undefined): EmailDraft {
  if (options?.kind !== 'email') return { host: '', port: 587, security: 'starttls', username: '', from: '', to: '' };
  return { ...options, username: options.username ?? '', to: options.to.join(', ') };
}

function quietOf(hours: NotificationTarget['quiet_hours']): NotificationDraft['quiet'] {
  if (hours === null) return { isSet: false, from: '22:00', to: '06:00' };
  return { isSet: true, from: clockOf(hours.from_min), to: clockOf(hours.to_min) };
}

/** The wire form of the entries, unchecked: empty ones are included. */
export function notificationWire(draft: NotificationDraft): NotificationTargetCreate {
  const { quiet } = draft;
  return {
    name: draft.name.trim(),
    is_enabled: draft.is_enabled,
    min_severity: draft.min_severity,
    tells_end: draft.tells_end,
    language: draft.language,
    most_per_minute: draft.most_per_minute ?? Number.NaN,
    repeat_min: draft.repeat_min.isSet ? (draft.repeat_min.value ?? Number.NaN) : null,
    quiet_hours: quiet.isSet ? { from_min: minuteOf(quiet.from), to_min: minuteOf(quiet.to) } : null,
    options: optionsOf(draft),
    ...(draft.secret !== undefined && { secret: draft.secret }),
  };
}

function optionsOf({ kind, email, mqtt, webhook }: NotificationDraft): NotificationOptions {
  if (kind === 'mqtt') return { kind, url: mqtt.url, username: textOrNull(mqtt.username), topic: mqtt.topic };
  if (kind === 'webhook') return { kind, url: webhook.url, network: webhook.network };
  const { host, port, security, username, from, to } = email;
  const addresses = to.split(/[\s,;]+/).filter(Boolean);
  return { kind, host, port: port ?? Number.NaN, security, username: textOrNull(username), from, to: addresses };
}

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Fields that the contract rejects, by path: `options.to`, `name`. */
export function notificationFaults(draft: NotificationDraft): ReadonlySet<string> {
  const read = notificationTargetCreate.safeParse(notificationWire(draft));
  if (read.success) return new Set();
  return new Set(read.error.issues.map(({ path }) => path.slice(0, path[0] === 'options' ? 2 : 1).join('.')));
}

/** An address that is rejected while it is typed, because nothing can be sent there. */
export function isPlainHttpOutside({ kind, webhook }: Pick<NotificationDraft, 'kind' | 'webhook'>): boolean {
  return kind === 'webhook' && webhook.network === 'public' && webhook.url.startsWith('http:');
}

/** A short form of a target's address. */
export function destinationOf(options: NotificationOptions): string {
  if (options.kind === 'email') return options.to.join(', ');
  return options.kind === 'mqtt' ? `${options.url} ${options.topic}` : options.url;
}

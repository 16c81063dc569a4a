import { describe, expect, it } from 'vitest';
import { clockOf, minuteOf } from '../../../../../../server/contract/clock-time.ts';
import {
  notificationTargetPatch,
  type NotificationOptions,
  type NotificationTarget,
} from '../../../../../../server/contract/notification-target.ts';
import {
  destinationOf,
  isPlainHttpOutside,
  notificationDraftOf,
  notificationFaults,
  notificationWire,
} from '../../../../../../renderer/features/settings/notifications/notification-draft.ts';
import { changesOf } from '../../../../../../renderer/ui/changes.ts';

const mail: NotificationOptions = {
  kind: 'email',
  host: 'mail.example',
  port: 465,
  security: 'tls',
  username: 'farm',
  from: 'farm@example.org',
  to: ['kim@example.org', 'lee@example.org'],
};
const mqtt: NotificationOptions = { kind: 'mqtt', url: 'mqtts://broker:8883', username: null, topic: 'farm/alarms' };
const webhook: NotificationOptions = { kind: 'webhook', url: 'https://hook.example/a', network: 'public' };

function target(options: NotificationOptions): NotificationTarget {
  return {
    unique_id: '3f1b0c9e-52a0-4e0c-9a57-0d1d3a1f0001',
    name: 'Night watch',
    is_enabled: true,
    min_severity: 'emergency',
    tells_end: true,
    language: 'ko',
    most_per_minute: 2,
    repeat_min: 45,
    quiet_hours: { from_min: 1_335, to_min: 390 },
    options,
    secret: { set: true },
    waiting: 0,
    last_result: null,
  };
}

type Draft = ReturnType<typeof notificationDraftOf>;

function changed(options: NotificationOptions, change: (draft: Draft) => void): unknown {
  const draft = notificationDraftOf(target(options));
  change(draft);
  const changes = changesOf(notificationWire(notificationDraftOf(target(options))), notificationWire(draft));
  return notificationTargetPatch.parse(changes);
}

describe('a target as a form', () => {
  it.each([mail, mqtt, webhook])('means what was read: $kind', (options) => {
    const { name, min_severity, tells_end, language, most_per_minute, repeat_min, quiet_hours } = target(options);
    expect(notificationWire(notificationDraftOf(target(options)))).toEqual({
      name,
      is_enabled: true,
      min_severity,
      tells_end,
      language,
      most_per_minute,
      repeat_min,
      quiet_hours,
      options,
    });
  });

  it('takes plain HTTP for this network alone', () => {
    const draft = notificationDraftOf(target({ ...webhook, url: 'http://192.168.1.7/alarm' }));
    expect([isPlainHttpOutside(draft), [...notificationFaults(draft)]]).toEqual([true, ['options.url']]);
    draft.webhook.network = 'lan';
    expect([isPlainHttpOutside(draft), [...notificationFaults(draft)]]).toEqual([false, []]);
  });

  it('sends only what was changed, and never a stored secret', () => {
    expect(changed(mail, () => undefined)).toEqual({});
    expect(changed(mail, (draft) => (draft.quiet.isSet = false))).toEqual({ quiet_hours: null });
    expect(changed(mail, (draft) => (draft.secret = 'new one'))).toEqual({ secret: 'new one' });
    expect(changed(mail, (draft) => (draft.secret = null))).toEqual({ secret: null });
    expect(changed(mail, (draft) => (draft.email.to = 'kim@example.org; lee@example.org'))).toEqual({});
  });

  it('names the fields that the contract would refuse', () => {
    const faults = (change: (draft: Draft) => void): string[] => {
      const draft = notificationDraftOf(target(mail));
      change(draft);
      return [...notificationFaults(draft)];
    };
    expect(faults(() => undefined)).toEqual([]);
    expect(faults((draft) => (draft.email.to = 'nobody'))).toEqual(['options.to']);
    expect(faults((draft) => (draft.email.port = null))).toEqual(['options.port']);
    expect(faults((draft) => (draft.most_per_minute = null))).toEqual(['most_per_minute']);
    expect(faults((draft) => (draft.repeat_min.value = 4))).toEqual(['repeat_min']);
    expect(faults((draft) => (draft.quiet.from = ''))).toEqual(['quiet_hours']);
    expect(faults((draft) => (draft.secret = ''))).toEqual(['secret']);
    expect([...notificationFaults(notificationDraftOf(null))].sort()).toEqual([
      'name',
      'options.from',
      'options.host',
      'options.to',
    ]);
  });
});

it('says in short where a target sends to', () => {
  expect([mail, mqtt, webhook].map(destinationOf)).toEqual([
    'kim@example.org, lee@example.org',
    'mqtts://broker:8883 farm/alarms',
    'https://hook.example/a',
  ]);
});

it.each([
  [0, '00:00'],
  [390, '06:30'],
  [1_439, '23:59'],
])('writes minute %d of the day as %s and reads it back', (minute, clock) => {
  expect(clockOf(minute)).toBe(clock);
  expect(minuteOf(clock)).toBe(minute);
});

// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import AlertList from '../../../../../renderer/features/house/AlertList.vue';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import type { Alert } from '../../../../../server/contract/facility-live.ts';
import { mounted } from '../../ui/mounted.ts';

const nowMs = Date.UTC(2026, 10, 27, 12);

function since(hours: number): string {
  const alert: Partial<Alert> = {
    code: 'stale',
    severity: 'warning',
    since: new Date(nowMs - hours * 3_600_000).toISOString(),
  };
  return mounted(AlertList, { props: { alerts: [alert], isWatched: true, facilityUuid: 'north' } }).text();
}

describe('an alert of a house', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: nowMs });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('says since which time of today, and since which day when that is not today', () => {
    expect(since(2)).toMatch(/since \d\d:\d\d:\d\d/);
    expect(since(72)).toMatch(/since .*Nov/);
  });

  it('of an emergency stop does not call outputs safe that nobody has confirmed', async () => {
    const alert = { code: 'emergency_stop', severity: 'emergency', name: 'kim', since: new Date(nowMs).toISOString() };
    const list = mounted(AlertList, { props: { alerts: [alert], isWatched: true, facilityUuid: 'north' } });
    useLive().emergency = { active: true, since: alert.since, by: 'kim', reason: null };
    await nextTick();
    expect(list.text()).toMatch(
      /commanded to their safe state\. Whether the outputs are safe is unknown\. since \d\d:\d\d:\d\d/,
    );
  });
});

it('does not call a house well that no sensor watches', () => {
  const list = mounted(AlertList, { props: { alerts: [], isWatched: false, facilityUuid: 'north' } });
  expect(list.text()).toBe(en.house.notWatched);
});

it('says of what is inactive how many there are, and leads to where they are activated', () => {
  const routes = [{ name: 'devices', path: '/devices', component: AlertList }];
  const one = { code: 'inactive', severity: 'info', unit: 'unit', since: new Date(nowMs).toISOString() };
  const alerts = [
    { ...one, name: 'sensors', value: 10 },
    { ...one, name: 'actuators', value: 9 },
  ];
  const list = mounted(AlertList, { props: { alerts, isWatched: true, facilityUuid: 'north' }, routes });
  expect(list.text()).toMatch(/Inactive sensors: 10\..*Inactive actuators: 9\./);
  expect(list.text()).not.toContain('since');
  expect(list.get('a').attributes('href')).toBe('/devices?show=inactive&house=north');
});

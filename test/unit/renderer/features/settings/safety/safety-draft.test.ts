import { describe, expect, it } from 'vitest';
import { settingsPatch, type Settings } from '../../../../../../server/contract/setting.ts';
import { defaultSettings } from '../../../../../../server/services/setting/defaults.ts';
import { drawnNow } from '../../../../../../renderer/features/settings/safety/drawn-now.ts';
import {
  isSafetyValid,
  safetyDraftOf,
  safetyPatch,
  safetyWire,
  type SafetyDraft,
} from '../../../../../../renderer/features/settings/safety/safety-draft.ts';
import { changesOf } from '../../../../../../renderer/ui/changes.ts';
import { stateOf } from '../../../../../support/scripted-daemon.ts';

const site: Settings = defaultSettings('Asia/Seoul');

function changed(change: (draft: SafetyDraft) => void): unknown {
  const draft = safetyDraftOf(site);
  change(draft);
  return settingsPatch.parse(safetyPatch(changesOf(safetyWire(safetyDraftOf(site)), safetyWire(draft))));
}

describe('the form of safety', () => {
  it('sends each changed member under its own setting and nothing else', () => {
    expect(changed(() => undefined)).toEqual({});
    expect(changed((draft) => (draft.limits.wind_m_s = { isSet: true, value: 8 }))).toEqual({
      alarm_limits: { wind_m_s: 8 },
    });
    expect(changed((draft) => (draft.limits.rain.isSet = false))).toEqual({ alarm_limits: { rain: null } });
    expect(changed((draft) => (draft.max_current_a = { isSet: true, value: 63 }))).toEqual({
      safety: { max_current_a: 63 },
    });
    expect(changed((draft) => (draft.manual_hold_s = 600))).toEqual({ manual_hold_s: 600 });
  });

  it('takes only what the contract takes', () => {
    const valid = (change: (draft: SafetyDraft) => void): boolean => {
      const draft = safetyDraftOf(site);
      change(draft);
      return isSafetyValid(draft);
    };
    expect(valid(() => undefined)).toBe(true);
    expect(valid((draft) => (draft.limits.wind_m_s.value = 101))).toBe(false);
    expect(valid((draft) => (draft.max_current_a = { isSet: true, value: 0 }))).toBe(false);
    expect(valid((draft) => (draft.manual_hold_s = null))).toBe(false);
  });
});

it('counts the current of what is on or not known', () => {
  const channel = {
    name: 'a',
    kind: 'switch',
    safe_state: 'off',
    startup_state: 'safe',
    shutdown_state: 'safe',
  } as const;
  const rest = {
    min_off_s: 0,
    max_on_s: null,
    flow_ml_s: null,
    pwm_cycle_s: null,
    pwm_min_on_s: 1,
    motor_close_channel: null,
    motor_travel_s: null,
    motor_slack_s: 0,
  };
  const channels = [4, 8, 16, null, 32].map((current_a, number) => ({
    ...channel,
    ...rest,
    channel: number,
    current_a,
  }));
  const states = [
    stateOf({ state: 'on' }),
    stateOf({ state: 'off' }),
    stateOf({ state: null }),
    stateOf({ state: 'on' }),
    stateOf({ state: 40, contact: 'off' }),
  ];
  const output = { unique_id: 'a', name: 'a', driver: 'modbus', options: {}, channels, is_activated: true };
  expect(drawnNow([output], (_id, number) => states[number])).toEqual({ drawn_a: 20, counted: 4 });
  expect(drawnNow([output], () => undefined)).toEqual({ drawn_a: 60, counted: 4 });
  expect(drawnNow([{ ...output, is_activated: false }], () => undefined)).toEqual({ drawn_a: 0, counted: 0 });
});

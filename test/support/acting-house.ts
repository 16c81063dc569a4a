import type { Output } from '../../server/contract/output.ts';
import type { ActionSite } from '../../server/daemon/controllers/actions/action-list.ts';
import { Errands } from '../../server/daemon/controllers/actions/errands.ts';
import { LiveValues } from '../../server/daemon/events/live-values.ts';
import { noWatchdog, outputsSite } from './outputs-site.ts';

export const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const [heater, lamp, sensor, air, own] = [id(1), id(2), id(3), id(4), id(9)];
export const place = { lat: 51.9, lng: 4.4, time_zone: 'Europe/Amsterdam' };

const outputOf = (unique_id: string, kind: 'switch' | 'dimmer'): Output => ({
  unique_id,
  name: unique_id,
  driver: 'simulated',
  options: {},
  is_activated: true,
  channels: [
    {
      channel: 0,
      name: 'main',
      kind,
      safe_state: 'off',
      startup_state: 'safe',
      shutdown_state: 'safe',
      min_off_s: 0,
      max_on_s: null,
      current_a: null,
      flow_ml_s: null,
      pwm_cycle_s: null,
      pwm_min_on_s: 0,
      motor_close_channel: null,
      motor_travel_s: null,
      motor_slack_s: 0,
    },
  ],
});

/** A heater, a lamp and a thermometer for controllers that act. */
export async function actingHouse() {
  const site = outputsSite();
  await site.start([outputOf(heater, 'dimmer'), outputOf(lamp, 'switch')]);
  const live = new LiveValues(site.clock, site.events);
  const switched: [string, boolean][] = [];
  const told: [string, unknown][] = [];
  const actions: ActionSite = {
    outputs: site.outputs,
    alarms: site.alarms,
    pid: (pidId) => ({
      tell: async (command) => void told.push([pidId, command]),
      tune: async (change) => void told.push([pidId, change]),
      unit: 'C',
    }),
    activate: async (controllerId, isActive) => {
      switched.push([controllerId, isActive]);
      return [0, 'done'];
    },
    lcd: async (lcdId, does) => {
      told.push([lcdId, does]);
      return lcdId === id(51) ? 'it is dark' : null;
    },
    function: async (functionId, command) => {
      told.push([functionId, command]);
      return functionId === id(54) ? `${command}: it declares look` : null;
    },
    errands: new Errands(site),
  };
  const past: [number, number][] = [];
  const host = {
    clock: site.clock,
    outputs: site.outputs,
    actions,
    watchdog: noWatchdog,
    statusChanged: () => undefined,
    told: () => undefined,
    reader: () => ({ language: 'en' as const, time_zone: place.time_zone }),
    methodName: () => 'Day',
    conditions: { live, outputs: site.outputs, past: async () => past, isWell: (one: string) => one === own },
    watch: { clock: site.clock, live, outputs: site.outputs },
  };
  const read = (value: number | null): void => {
    const quality = value === null ? 'bad' : 'good';
    const series = { device_id: sensor, measurement_id: air, channel: 0, unit: 'C' };
    live.record({ ...series, value: value ?? 0, quality, time_ms: site.clock.now() });
  };
  return { ...site, host, read, past, switched, told };
}

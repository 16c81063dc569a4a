import { isoOf } from '../../contract/time.ts';
import type { EmergencyHold } from '../../contract/daemon.ts';
import { deviceSays } from '../../contract/device-words.ts';
import type { Alert, RuntimeResult, Severity } from '../../contract/facility.ts';
import { inactiveParts, type InactivePart } from '../../contract/facility-live.ts';
import type { UndatedAlert } from './alert-onsets.ts';
import { staleAfter_s } from '../../contract/safety.ts';
import { isRunning, type Actuated, type LiveSource, type Sensed } from './readings.ts';
import type { DaemonState } from '../live/live.ts';

export interface AlertCase {
  sensors: readonly Sensed[];
  actuators: readonly Actuated[];
  live: LiveSource;
  daemon: { state: DaemonState; sinceMs: number; endedBy: string | null };
  emergency: EmergencyHold | null;
  /** When the bindings last changed, epoch ms: a newly bound sensor has had no time to report. */
  boundAtMs: number;
  nowMs: number;
  /** Alerts whose start only polling knows: of readings against the site's limits, and of what is inactive. */
  polled: readonly Alert[];
}

export interface Alerts {
  items: Alert[];
  /** When the next alert arises from time alone, epoch ms. */
  nextAtMs: number;
}

/** The present alerts of a facility, worst first, then oldest. */
export function findAlerts(facts: AlertCase): Alerts {
  const silent = silence(facts);
  const items = [
    ...daemonAlerts(facts),
    ...emergencyAlerts(facts),
    ...silent.items,
    ...staleAlerts(facts),
    ...controllerAlerts(facts),
    ...outputAlerts(facts),
    ...heaterAndVent(facts),
    ...facts.polled,
  ];
  const rank = (alert: Alert) => severityRank[alert.severity];
  items.sort((one, other) => rank(other) - rank(one) || one.since.localeCompare(other.since));
  return { items, nextAtMs: silent.nextAtMs };
}

const severityRank: Record<Severity, number> = { info: 0, warning: 1, emergency: 2 };

export function summarise(items: readonly Alert[]): RuntimeResult['alerts'] {
  const counts = { info: 0, warning: 0, emergency: 0 };
  for (const { severity } of items) counts[severity] += 1;
  const level = counts.emergency > 0 ? 'emergency' : counts.warning > 0 ? 'warning' : counts.info > 0 ? 'info' : 'none';
  return { level, counts, items: [...items] };
}

function daemonAlerts({ daemon }: AlertCase): Alert[] {
  if (daemon.state !== 'unreachable') return [];
  const message = 'The control daemon cannot be reached: nothing here is controlled or measured.';
  const { sinceMs, endedBy } = daemon;
  const why = endedBy !== null && { detail: deviceSays('told_to_end', { name: endedBy }) };
  return [{ code: 'daemon_down', severity: 'emergency', message, since: isoOf(sinceMs), ...why }];
}

function emergencyAlerts({ emergency, nowMs }: AlertCase): Alert[] {
  if (emergency === null) return [];
  const { by, since, reason } = emergency;
  const message = `Emergency stop by ${by ?? 'someone'}: every output is commanded to its safe state.`;
  return [
    {
      code: 'emergency_stop',
      severity: 'emergency',
      message,
      since: since ?? isoOf(nowMs),
      ...(by !== null && { name: by }),
      ...(reason !== null && { detail: reason }),
    },
  ];
}

/** What nobody has activated, or somebody deactivated: it is silent because people want it so. */
export function inactiveAlerts(sensors: readonly Sensed[], actuators: readonly Actuated[]): UndatedAlert[] {
  const counts: Record<InactivePart, number> = {
    sensors: sensors.filter(({ input }) => input?.is_activated === false).length,
    actuators: actuators.filter(({ output }) => output?.is_activated === false).length,
  };
  return inactiveParts.flatMap((name) => {
    const value = counts[name];
    const message = `Of the ${name}, ${value} are inactive.`;
    return value === 0 ? [] : [{ code: 'inactive', severity: 'info', message, name, value, unit: 'unit' }];
  });
}

/** Sensors that never reported, once they have had as long as a reading is valid. */
function silence({ sensors, daemon, boundAtMs, nowMs }: AlertCase): Alerts {
  const items: Alert[] = [];
  let nextAtMs = Infinity;
  for (const { reading, input } of sensors) {
    if (reading.quality === 'unbound') {
      const message = `${reading.name}: its device is gone.`;
      const about = { role: reading.role, name: reading.name };
      items.push({ code: 'no_data', severity: 'warning', message, since: isoOf(boundAtMs), ...about });
    }
    if (reading.quality !== 'missing' || input?.is_activated !== true || daemon.state !== 'up') continue;
    const fromMs = Math.max(boundAtMs, daemon.sinceMs);
    const dueMs = fromMs + staleAfter_s(input) * 1000;
    // A time in the future was recorded before the clock was set back.
    if (nowMs < dueMs && fromMs <= nowMs) {
      nextAtMs = Math.min(nextAtMs, dueMs);
      continue;
    }
    const message = `${reading.name} has sent no reading.`;
    const about = { role: reading.role, name: reading.name };
    items.push({ code: 'no_data', severity: 'warning', message, since: isoOf(fromMs), ...about });
  }
  return { items, nextAtMs };
}

function staleAlerts({ sensors, nowMs }: AlertCase): Alert[] {
  return sensors.flatMap(({ reading, staleAtMs, input }): Alert[] => {
    if (reading.quality !== 'stale' || staleAtMs === null || input?.is_activated !== true) return [];
    const limit = staleAfter_s(input);
    const value = Math.round(reading.age_s ?? (nowMs - staleAtMs) / 1000);
    const message = `${reading.name} has sent nothing new for ${value} s.`;
    const since = isoOf(staleAtMs);
    const about = { role: reading.role, name: reading.name };
    return [{ code: 'stale', severity: 'warning', message, since, ...about, value, limit, unit: 's' }];
  });
}

/** One for each device whose controller should run and does not. */
function controllerAlerts({ sensors, actuators, live }: AlertCase): Alert[] {
  const devices = new Map<string, { name: string; role: Alert['role'] }>();
  for (const { input, reading } of sensors) {
    if (input?.is_activated === true) devices.set(input.unique_id, { name: input.name, role: reading.role });
  }
  for (const { output, reading } of actuators) {
    if (output?.is_activated === true) devices.set(output.unique_id, { name: output.name, role: reading.role });
  }
  return [...devices].flatMap(([id, { name, role }]): Alert[] => {
    const known = live.controller(id);
    if (known === undefined || known.status.state === 'running') return [];
    const why = known.status.reason === null ? '' : `: ${known.status.reason}`;
    const message = `The controller of ${name} is ${known.status.state}${why}`;
    const about = { name, ...(role && { role }), ...(known.status.reason && { detail: known.status.reason }) };
    return [{ code: 'controller_down', severity: 'warning', message, since: isoOf(known.sinceMs), ...about }];
  });
}

/** Without the daemon every output is unknown: reported once, not for each. */
function outputAlerts({ actuators, live, daemon }: AlertCase): Alert[] {
  if (daemon.state !== 'up') return [];
  return actuators.flatMap(({ reading, output }): Alert[] => {
    if (output === undefined || !output.is_activated || reading.channel === null) return [];
    const known = live.knownOutput(output.unique_id, reading.channel);
    const { role, name } = reading;
    const found: Alert[] = [];
    if (reading.quality === 'unknown') {
      const since = isoOf(known?.atMs ?? daemon.sinceMs);
      found.push({
        code: 'output_unknown',
        severity: 'warning',
        message: `The state of ${name} is unknown.`,
        since,
        role,
        name,
      });
    }
    if (known?.failure != null) {
      const message = `The last command to ${name} failed: ${known.failure.message}`;
      const about = { role, name, detail: known.failure.message };
      found.push({
        code: 'command_failed',
        severity: 'warning',
        message,
        since: isoOf(known.failure.atMs),
        ...about,
      });
    }
    return found;
  });
}

const heaters: ReadonlySet<string> = new Set(['heater', 'heat_pump']);
const vents: ReadonlySet<string> = new Set(['side_vent', 'roof_vent']);

/** A commissioning check heats with open vents on purpose: what it drives does not count. */
function heaterAndVent({ actuators, live, nowMs }: AlertCase): Alert[] {
  const running = actuators.filter(({ reading }) => isRunning(reading) && reading.source !== 'commissioning');
  const heater = running.find(({ reading }) => heaters.has(reading.role));
  const vent = running.find(({ reading }) => vents.has(reading.role));
  if (heater === undefined || vent === undefined) return [];
  const changed = [heater, vent].map(({ reading }) => {
    const at = live.outputState(reading.device_id, reading.channel ?? 0).changed_at;
    return at === null ? nowMs : Date.parse(at);
  });
  const message = `${heater.reading.name} heats while ${vent.reading.name} is open.`;
  const since = isoOf(Math.max(...changed));
  const open = vent.reading.state;
  return [
    {
      code: 'heater_and_vent',
      severity: 'warning',
      message,
      since,
      role: vent.reading.role,
      name: heater.reading.name,
      detail: vent.reading.name,
      ...(typeof open === 'number' && { value: open }),
      limit: 0,
      unit: '%',
    },
  ];
}

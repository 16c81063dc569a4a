import { z } from 'zod';
import type { DaemonStatus } from '../../contract/daemon.ts';
import { modbusProbe } from '../../contract/driver.ts';
import { mqttProbe } from '../../contract/mqtt-found.ts';
import type { RemoteMethod } from '../../remote/method.ts';
import type { Alarms } from '../alarms/alarms.ts';
import type { Activation } from '../activation.ts';
import type { Lcds } from '../controllers/lcd/lcds.ts';
import type { Commissioning } from '../commissioning/commissioning.ts';
import type { Inputs } from '../controllers/input/inputs.ts';
import type { Outputs } from '../controllers/output/outputs.ts';
import type { DriverFamilies } from '../drivers/families.ts';
import type { EventRing } from '../events.ts';
import type { LiveValues } from '../live-values.ts';
import { isServer } from './access.ts';
import { id, method, question } from './arguments.ts';
import { alarmMethods } from './alarms.ts';
import { measurementMethods, type MeasurementParts } from './measurements.ts';
import { lcdMethods } from './lcds.ts';
import { commissioningMethods } from './commissioning.ts';
import { toldDeeds } from './deeds.ts';
import { outputMethods } from './outputs.ts';
import { safetyMethods } from './safety.ts';
import type { Safety } from '../safety/safety.ts';
import { unavailableMethods } from './unavailable.ts';

/** What the remote object speaks for. */
export interface RemoteParts extends MeasurementParts {
  activation: Activation;
  commissioning: Commissioning;
  inputs: Inputs;
  outputs: Outputs;
  lcds: Lcds;
  safety: Safety;
  live: LiveValues;
  events: EventRing;
  alarms: Alarms;
  families: DriverFamilies;
  /** `isServer`: the service asks, and so shows that it is there. */
  status(isServer: boolean): DaemonStatus;
  /** Begins an orderly stop and returns at once; `by` names a program that is not the service. */
  terminate(by?: string): void;
}

const optional = (name: string) => ({ name, default: null });
const byController = z.object({ controller_id: id, controller_type: z.string().nullish() });

/** All methods of the daemon's remote object, with the parameter names that programs use. */
export function remoteMethods(parts: RemoteParts): Record<string, RemoteMethod> {
  const { activation, events, outputs } = parts;
  return toldDeeds(allMethods(parts), {
    tell: (event) => events.push(event),
    stateOf: (id) => {
      const status = activation.statuses().find(({ controller_id }) => controller_id === id);
      const channels = outputs.states().filter(({ output_id }) => output_id === id);
      const states = channels.map(({ channel, state, source, actor }) => ({ channel, state, source, actor }));
      return status && { state: status.state, ...(states.length > 0 && { channels: states }) };
    },
  });
}

function allMethods(parts: RemoteParts): Record<string, RemoteMethod> {
  return {
    ...unavailableMethods(),
    ...controllerMethods(parts),
    ...outputMethods(parts),
    ...readingMethods(parts),
    ...safetyMethods(parts),
    ...alarmMethods(parts.alarms),
    ...measurementMethods(parts),
    ...lcdMethods(parts),
    ...commissioningMethods(parts.commissioning),
    ...daemonMethods(parts),
  };
}

function controllerMethods({ activation, safety }: RemoteParts): Record<string, RemoteMethod> {
  const parameters = ['controller_id', optional('controller_type')];
  return {
    controller_activate: method({
      parameters,
      schema: byController,
      run: ({ controller_id, controller_type }, call) =>
        isServer(call)
          ? activation.activate(controller_id, controller_type)
          : activation.obey(controller_id, true, controller_type),
    }),
    controller_deactivate: method({
      parameters,
      schema: byController,
      run: ({ controller_id, controller_type }, call) =>
        isServer(call)
          ? activation.deactivate(controller_id, controller_type)
          : activation.obey(controller_id, false, controller_type),
    }),
    controller_restart: method({
      parameters: ['controller_id'],
      schema: byController,
      run: ({ controller_id }) => activation.restart(controller_id),
    }),
    controller_refresh: method({
      parameters: ['controller_id'],
      schema: byController,
      run: ({ controller_id }, call) => activation.refresh(controller_id, isServer(call)),
    }),
    controller_is_active: method({
      parameters: ['controller_id'],
      schema: byController,
      run: async ({ controller_id }) => activation.isActive(controller_id),
    }),
    refresh_daemon_misc_settings: question(async () => {
      safety.refresh();
      await activation.refreshOutputs();
      return 'success';
    }),
  };
}

function readingMethods({ activation, inputs }: RemoteParts): Record<string, RemoteMethod> {
  return {
    input_force_measurements: method({
      parameters: ['input_id'],
      schema: z.object({ input_id: id }),
      run: async ({ input_id }) => {
        // Programs look at the status alone: an exception passes for success in many of them.
        if (!activation.isKnown('Input', input_id)) return [1, `there is no input ${input_id}`];
        if (!inputs.has(input_id)) return [1, `input ${input_id} is not active`];
        const failure = await inputs.measure(input_id);
        return failure === null ? [0, 'read and stored'] : [1, failure];
      },
    }),
  };
}

function daemonMethods(parts: RemoteParts): Record<string, RemoteMethod> {
  const { activation, alarms, lcds, events, families, live, outputs, safety } = parts;
  return {
    events_since: method({
      parameters: ['cursor', { name: 'wait_s', default: 20 }],
      schema: z.object({ cursor: z.string().max(100), wait_s: z.number().min(0).max(60) }),
      run: ({ cursor, wait_s }, { signal }) => events.since(cursor, wait_s, signal),
    }),
    live_state: question(() => ({
      cursor: events.cursor,
      measurements: live.all(),
      outputs: outputs.states(),
      controllers: activation.statuses(),
      alarms: alarms.list(),
      lcds: lcds.displays(),
      emergency_stop: safety.emergency.view(),
    })),
    drivers: question(() => families.describe()),
    modbus_probe: method({
      parameters: ['host', 'unit_id', { name: 'port', default: 502 }],
      schema: modbusProbe,
      run: (where, { signal }) => families.probeModbus(where, signal),
    }),
    mqtt_probe: method({
      parameters: ['broker'],
      schema: z.object({ broker: mqttProbe }),
      run: ({ broker }, { signal }) => families.discoverMqtt(broker, signal),
    }),
    daemon_status: question((call) => parts.status(isServer(call))),
    check_daemon: question(() => troubleOf(activation)),
    ram_use: question(() => process.memoryUsage.rss() / 1e6),
    terminate_daemon: question((call) => {
      parts.terminate(isServer(call) ? undefined : `${call.caller} (${call.peer})`);
      return true;
    }),
  };
}

/** null when all is well. */
function troubleOf(activation: Activation): string | null {
  const failed = activation.statuses().filter(({ state }) => state === 'failed');
  if (failed.length === 0) return null;
  return failed.map(({ controller_id, reason }) => `${controller_id}: ${reason ?? 'failed'}`).join('; ');
}

import type { DaemonStatus } from '../../contract/daemon.ts';
import { driverOf } from '../../contract/drivers/index.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import type { daemonMethods } from '../../contract/remote/daemon.ts';
import type { RemoteMethod } from '../../remote/method.ts';
import type { Alarms } from '../alarms/alarms.ts';
import type { Activation } from '../controllers/activation.ts';
import type { ControllerSet } from '../controllers/controller-set.ts';
import type { Lcds } from '../controllers/lcd/lcds.ts';
import type { Commissioning } from '../commissioning/commissioning.ts';
import type { Conditionals } from '../controllers/conditional/kind.ts';
import type { Functions } from '../controllers/function/kind.ts';
import type { Triggers } from '../controllers/trigger/kind.ts';
import type { Inputs } from '../controllers/input/inputs.ts';
import type { Outputs } from '../controllers/output/outputs.ts';
import type { Pids } from '../controllers/pid/pids.ts';
import type { DriverFamilies } from '../drivers/families.ts';
import type { EventRing } from '../events/events.ts';
import type { LiveValues } from '../events/live-values.ts';
import type { Safety } from '../safety/safety.ts';
import { isServer } from './access.ts';
import { alarmHandlers } from './alarms.ts';
import { commissioningHandlers } from './commissioning.ts';
import { controllerHandlers, inputHandlers } from './controllers.ts';
import { toldDeeds } from './deeds.ts';
import { functionHandlers } from './functions.ts';
import { methodTable, parse, type HandlersOf, type RemoteHandlers } from './handlers.ts';
import { lcdHandlers } from './lcds.ts';
import { measurementHandlers, type MeasurementParts } from './measurements.ts';
import { outputHandlers } from './outputs.ts';
import { pidHandlers } from './pids.ts';
import { safetyHandlers } from './safety.ts';

/** What the remote object gives access to. */
export interface RemoteParts extends MeasurementParts {
  activation: Activation;
  commissioning: Commissioning;
  inputs: Inputs;
  outputs: Outputs;
  lcds: Lcds;
  pids: Pids;
  controllers: ControllerSet;
  conditionals: Conditionals;
  triggers: Triggers;
  functions: Functions;
  safety: Safety;
  live: LiveValues;
  events: EventRing;
  alarms: Alarms;
  families: DriverFamilies;
  /** `isServer`: the service is asking, which shows that it is alive. */
  status(isServer: boolean): DaemonStatus;
  /** Begins an orderly stop and returns at once; `by` names a program that is not the service. */
  terminate(by?: string): void;
}

/** All methods of the daemon's remote object, as `contract/remote` declares them. */
export function remoteObject(parts: RemoteParts): Record<string, RemoteMethod> {
  const { activation, events, outputs } = parts;
  return toldDeeds(methodTable(handlersOf(parts)), {
    tell: (event) => events.push(event),
    stateOf: (id) => {
      const status = activation.statuses().find(({ controller_id }) => controller_id === id);
      const channels = outputs.states().filter(({ output_id }) => output_id === id);
      const states = channels.map(({ channel, state, source, actor }) => ({ channel, state, source, actor }));
      return status && { state: status.state, ...(states.length > 0 && { channels: states }) };
    },
  });
}

/** A handler for every declared method. */
function handlersOf(parts: RemoteParts): RemoteHandlers {
  return {
    ...controllerHandlers(parts),
    ...outputHandlers(parts),
    ...inputHandlers(parts),
    ...safetyHandlers(parts),
    ...alarmHandlers(parts.alarms),
    ...measurementHandlers(parts),
    ...lcdHandlers(parts),
    ...pidHandlers(parts),
    ...functionHandlers(parts),
    ...commissioningHandlers(parts.commissioning),
    ...daemonHandlers(parts),
  };
}

function daemonHandlers(parts: RemoteParts): HandlersOf<typeof daemonMethods> {
  const { activation, alarms, lcds, events, families, live, outputs, safety } = parts;
  return {
    events_since: ({ cursor, wait_s }, { signal }) => events.since(cursor, wait_s, signal),
    live_state: () => ({
      cursor: events.cursor,
      measurements: live.all(),
      outputs: outputs.states(),
      controllers: activation.statuses(),
      alarms: alarms.list(),
      lcds: lcds.displays(),
      control: parts.controllers.live(),
      emergency_stop: safety.emergency.view(),
    }),
    drivers: () => families.describe(),
    driver_search: ({ driver, query }, { signal }) => {
      const search = driverOf(driver)?.search;
      if (search === undefined) throw new RemoteFailure('not_found', `there is no driver "${driver}" that searches`);
      return families.search(driver, parse(search.query, query), signal);
    },
    daemon_status: (_none, call) => parts.status(isServer(call)),
    check_daemon: () => troubleOf(activation),
    ram_use: () => process.memoryUsage.rss() / 1e6,
    terminate_daemon: (_none, call) => {
      parts.terminate(isServer(call) ? undefined : `${call.caller} (${call.peer})`);
      return true;
    },
  };
}

/** null when all is well. */
function troubleOf(activation: Activation): string | null {
  const failed = activation.statuses().filter(({ state }) => state === 'failed');
  if (failed.length === 0) return null;
  return failed.map(({ controller_id, reason }) => `${controller_id}: ${reason ?? 'failed'}`).join('; ');
}

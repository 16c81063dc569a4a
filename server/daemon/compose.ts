import { join } from 'node:path';
import type { SecretBox } from '../auth/secret-box.ts';
import { MeasuredDevices } from '../domain/control/measured-devices.ts';
import type { MeasurementReader } from '../measurement/reader.ts';
import type { MeasurementWriter, StoreCondition, StoreSpace } from '../measurement/store.ts';
import { Activation } from './controllers/activation.ts';
import type { ActionSite } from './controllers/actions/action-list.ts';
import { Errands } from './controllers/actions/errands.ts';
import { Alarms } from './alarms/alarms.ts';
import { ConnectionConditions } from './alarms/connection-conditions.ts';
import { currentNeeds, noticing_s } from './alarms/needs.ts';
import { DaemonConditions } from './alarms/daemon-conditions.ts';
import { GateConditions } from './alarms/gate-conditions.ts';
import { StoreConditions } from './alarms/store-condition.ts';
import { ClockWatch } from './alarms/clock-watch.ts';
import type { Clock } from './clock.ts';
import { Commissioning } from './commissioning/commissioning.ts';
import { WorkerJudge } from './commissioning/round-judge.ts';
import type { ControlStore } from './store/control-store.ts';
import type { ControlSite } from './controllers/controller-kind.ts';
import { ControllerSet } from './controllers/controller-set.ts';
import { MethodCurves } from './controllers/method/curves.ts';
import { ToldStatuses } from './controllers/told-statuses.ts';
import { functions } from './controllers/function/kind.ts';
import { lcds } from './controllers/lcd/kind.ts';
import { pids } from './controllers/pid/kind.ts';
import { Outputs } from './controllers/output/outputs.ts';
import { DriverFamilies } from './drivers/families.ts';
import { wiredChannels, withMotors } from './drivers/motors.ts';
import { EventRing } from './events/events.ts';
import type { KeptConfiguration } from './configuration/kept-configuration.ts';
import { LiveValues } from './events/live-values.ts';
import { MeasurementCare } from './measurement-care.ts';
import { openedOptions } from './opened-options.ts';
import { Safety } from './safety/safety.ts';
import { Watchdog } from './alarms/watchdog.ts';
import { HouseModels } from './house-models.ts';

export interface PartsOptions {
  dataDirectory: string;
  /** Opens the secrets that the server sealed in the options of devices. */
  secrets: Pick<SecretBox, 'open'>;
  clock: Clock;
  configuration: KeptConfiguration;
  store: ControlStore;
  writer: MeasurementWriter;
  reader: MeasurementReader;
  /** The space that the measurement store has left and takes; rejects with the system's error. */
  space: () => Promise<StoreSpace>;
  /** Writes one line to the log. */
  log: (line: string) => void;
}

export type DaemonParts = ReturnType<typeof composeParts>;

/** Constructs all parts of a daemon, each after those it needs. This alone does nothing. */
export function composeParts(options: PartsOptions) {
  const { clock, store, log, configuration, dataDirectory } = options;
  const events = new EventRing(clock);
  const safety = new Safety({ clock, configuration, store, log, events });
  const delays = () => ({ out_of_band: safety.plan.limits.out_of_band_delay_s ?? 0 });
  const alarms = new Alarms({
    clock,
    events,
    store,
    log,
    delays,
    needs: currentNeeds(configuration),
    noticing_s: (id) => noticing_s(configuration, id),
  });
  const storeConditions = new StoreConditions(alarms, log);
  const clockWatch = new ClockWatch({ clock, log, alarms, file: join(dataDirectory, 'daemon.clock') });
  const connectionConditions = new ConnectionConditions({ clock, configuration, alarms });
  const conditions = { storeConditions, clockWatch, connectionConditions };
  const base = { clock, configuration, store, events, safety, alarms, ...conditions };
  const controlled = composeControllers(options, {
    ...base,
    watchdog: new Watchdog({ clock, alarms }),
    // These run only once everything is constructed.
    activate: (id, isActive) => activation.obey(id, isActive),
    pid: (id) => controlled.controllers.of(pids).get(id),
    lcd: (id, does) =>
      controlled.controllers.of(lcds).command(id, (lcd) => (does === 'reset' ? lcd.reset() : lcd.light(does))),
    function: (id, command) => controlled.controllers.of(functions).command(id, command),
    errands: new Errands({ clock, events }),
  });
  const { outputs, live, controllers } = controlled;
  const activation = new Activation({ configuration, store, events, controllers });
  return {
    ...base,
    ...controlled,
    conditions: new DaemonConditions({ clock, configuration, alarms, events }),
    gateConditions: new GateConditions({
      clock,
      configuration,
      alarms,
      events,
      plan: () => safety.plan,
      stateOf: (ref) => outputs.stateOf(ref),
    }),
    care: composeCare(options, { ...base, outputs }),
    activation,
    commissioning: new Commissioning({
      clock,
      configuration,
      measured: controlled.measured,
      store,
      log,
      outputs,
      isStopped: () => safety.emergency.held !== null,
      live,
      events,
      judge: new WorkerJudge(),
    }),
  };
}

interface Base
  extends Pick<ControlSite, 'events' | 'alarms' | 'safety' | 'watchdog'>, Omit<ActionSite, 'outputs' | 'alarms'> {
  connectionConditions: ConnectionConditions;
}

function composeControllers(
  options: PartsOptions,
  { events, alarms, safety, watchdog, connectionConditions, ...site }: Base,
) {
  const { clock, store, log, configuration, writer, reader, dataDirectory, secrets } = options;
  const live = new LiveValues(clock, events);
  const models = new HouseModels(configuration, log);
  const families = new DriverFamilies({
    clock,
    log,
    dataDirectory,
    modelOf: (id) => models.of(id),
    connection: (...told) => connectionConditions.tell(...told),
  });
  const connect: ControlSite['connect'] = async ({ unique_id, driver, channels, ...device }, kind, signal) => {
    const numbers = wiredChannels(channels);
    const opened = openedOptions(device.options, secrets);
    return families.connect({ device_id: unique_id, driver, kind, options: opened, channels: numbers }, signal);
  };
  const outputs = new Outputs({
    alarms,
    watchdog,
    clock,
    store,
    log,
    events,
    safety,
    connect: async (output, signal) => withMotors(await connect(output, 'output', signal), output.channels, clock),
  });
  const known = { clock, configuration, store, writer, reader, log, events, alarms, safety, watchdog };
  const { activate, pid, lcd, errands, function: tell } = site;
  const actions: ActionSite = { outputs, alarms, activate, pid, lcd, errands, function: tell };
  const [curves, told] = [new MethodCurves(configuration), new ToldStatuses(events)];
  const measured = new MeasuredDevices({
    list: (word) => configuration.list(word),
    get: (word, id) => configuration.get(word, id),
  });
  const controllers = new ControllerSet({ ...known, live, outputs, connect, actions, curves, told, measured });
  return { watchdog, live, families, outputs, measured, controllers };
}

interface CareBase extends Pick<ControlSite, 'events' | 'outputs'> {
  storeConditions: StoreConditions;
  clockWatch: ClockWatch;
}

function composeCare(options: PartsOptions, { events, outputs, storeConditions, clockWatch }: CareBase) {
  const { clock, writer, log, configuration, space } = options;
  return new MeasurementCare({
    clock,
    writer,
    log,
    events,
    outputs,
    space,
    retention: () => configuration.retention(),
    trustedMs: () => clockWatch.trustedMs(),
    tell: (condition: StoreCondition) => storeConditions.tell(condition),
  });
}

import type { Connection } from '../../../contract/drivers/connection.ts';
import { deviceSays } from '../../../contract/device-words.ts';
import { mqttConnection } from '../../../contract/drivers/mqtt.ts';
import {
  mqttPort,
  type MqttBroker as MqttBrokerOptions,
  type MqttOptions,
} from '../../../contract/drivers/mqtt-options.ts';
import {
  DriverError,
  type Device,
  type DriverEnvironment,
  type DriverFamily,
  type DriverModule,
  type Searching,
} from '../driver.ts';
import { MqttActuators } from './actuator.ts';
import type { BrokerAddress } from './broker-stream.ts';
import { MqttBroker } from './broker.ts';
import { probeBroker } from './probe.ts';
import { MqttSensor } from './sensor.ts';

/** The broker address of some options. Throws DriverError `unsupported` for a password that was not decrypted. */
function addressOf({
  host,
  tls = false,
  port = tls ? mqttPort.tls : mqttPort.plain,
  password,
  ...login
}: MqttBrokerOptions): BrokerAddress {
  if (typeof password === 'object') throw new DriverError('unsupported', deviceSays('broker_password'));
  const { ca, username, client_id } = login;
  return { host, port, tls, ca, username, password, client_id };
}

interface SharedBroker {
  broker: MqttBroker;
  connection: Connection;
  /** Why there is no connection; undefined until it is known. */
  failure: string | null | undefined;
  devices: number;
}

/** One connection for each broker and log-in; it lives as long as a device on it is connected. */
function startFamily(environment: DriverEnvironment): DriverFamily<MqttOptions> & Searching<'mqtt'> {
  const brokers = new Map<string, SharedBroker>();

  /** Log-ins can differ in what alarms do not tell apart, a password: while one works, its broker is not lost. */
  function tell(connection: Connection): void {
    const logIns = [...brokers.values()].filter((one) => one.connection.id === connection.id);
    const failures = logIns.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
    environment.connection?.(connection, failures.includes(null) ? null : (failures[0] ?? null));
  }

  function open(address: BrokerAddress): SharedBroker {
    const told = (failure: string | null): void => {
      shared.failure = failure;
      tell(shared.connection);
    };
    const broker = new MqttBroker(address, { ...environment, told });
    const shared: SharedBroker = { broker, connection: mqttConnection(address), failure: undefined, devices: 0 };
    return shared;
  }

  function take(address: BrokerAddress): { broker: MqttBroker; release: () => Promise<void> } {
    const key = JSON.stringify(address);
    const shared = brokers.get(key) ?? open(address);
    shared.devices += 1;
    brokers.set(key, shared);
    let isHeld = true;
    const release = async (): Promise<void> => {
      if (!isHeld) return;
      isHeld = false;
      shared.devices -= 1;
      if (shared.devices > 0) return;
      brokers.delete(key);
      await shared.broker.close();
    };
    return { broker: shared.broker, release };
  }

  return {
    connect: async ({ options, kind, channels }) => {
      const { broker, release } = take(addressOf(options));
      const parts = { broker, clock: environment.clock, options, channels };
      const device = kind === 'input' ? sensing(new MqttSensor(parts)) : actuating(new MqttActuators(parts));
      const close = async (): Promise<void> => {
        await device.close();
        await release();
      };
      return { ...device, close };
    },
    search: (where, signal) => probeBroker(addressOf(where), environment.clock, signal),
    close: async () => {
      await Promise.all([...brokers.values()].map(({ broker }) => broker.close()));
      brokers.clear();
    },
  };
}

function sensing(sensor: MqttSensor): Device {
  return { read: sensor.read.bind(sensor), listen: sensor.listen.bind(sensor), close: sensor.close.bind(sensor) };
}

function actuating(actuators: MqttActuators): Device {
  return {
    write: actuators.write.bind(actuators),
    close: actuators.close.bind(actuators),
    ...(actuators.canBeRead && { readState: actuators.readState.bind(actuators) }),
  };
}

export const driver: DriverModule<'mqtt'> = { start: startFamily };

import { z } from 'zod';
import { modbusOptions } from './driver-options.ts';
import { endpoint } from './endpoint.ts';
import { mqttProbe, mqttProbed } from './mqtt-found.ts';

export const driverDescription = z.strictObject({
  driver: z.string(),
  name: z.string(),
  kinds: z.array(z.enum(['input', 'output', 'lcd'])),
  summary: z.string(),
  options_schema: z.record(z.string(), z.json()).describe('JSON Schema of the options'),
});
export type DriverDescription = z.infer<typeof driverDescription>;

const { host, port, unit_id } = modbusOptions.shape;
/** Where a Modbus unit may be. */
export const modbusProbe = z.strictObject({
  host,
  port,
  unit_id: unit_id.unwrap().describe('Address of the unit behind the host, 0 to 255'),
});
export type ModbusProbe = z.infer<typeof modbusProbe>;

export const modbusProbed = z.strictObject({
  unit_id: modbusProbe.shape.unit_id,
  found: z
    .enum(['answers', 'silent', 'unreachable'])
    .describe('answers: something is there, even where it refused; unreachable: no Modbus server at this address'),
  message: z.string().describe('What it said, or why it said nothing'),
});
export type ModbusProbed = z.infer<typeof modbusProbed>;

export const driverEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/drivers',
    tag: 'drivers',
    summary: 'List the drivers with the schemas of their options',
    access: 'view_settings',
    answer: z.strictObject({ drivers: z.array(driverDescription) }),
    statuses: [200],
    errors: ['daemon_unreachable'],
  }),
  probeModbus: endpoint({
    method: 'POST',
    path: '/api/drivers/modbus/probe',
    tag: 'drivers',
    summary: 'Ask whether a Modbus unit is there, by reading one holding register; changes nothing',
    access: 'edit_controllers',
    body: modbusProbe,
    answer: modbusProbed,
    statuses: [200],
    errors: ['daemon_unreachable'],
  }),
  probeMqtt: endpoint({
    method: 'POST',
    path: '/api/drivers/mqtt/probe',
    tag: 'drivers',
    summary: 'List the devices that announced themselves on an MQTT broker, as to Home Assistant; changes nothing',
    access: 'edit_controllers',
    body: mqttProbe,
    answer: mqttProbed,
    statuses: [200],
    errors: ['daemon_unreachable'],
  }),
};

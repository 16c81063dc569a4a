import type { DriverName } from '../../../server/contract/drivers/index.ts';

/** Words for the drivers; those of their options are in `devices`. */
export const drivers = {
  simulated: { name: 'Simulated', summary: 'Sensors and actuators of a simulated greenhouse' },
  modbus: {
    name: 'Modbus TCP',
    summary: 'Registers and coils of a Modbus TCP device or gateway, described by a register map',
  },
  mqtt: {
    name: 'MQTT',
    summary: 'Topics of an MQTT broker: Tasmota, Shelly, ESPHome and anything else that publishes numbers or JSON',
  },
  http: {
    name: 'HTTP',
    summary: 'A device with a web interface that returns numbers or JSON and takes commands',
  },
  onewire: { name: '1-Wire', summary: 'A DS18B20 or related thermometer on the 1-Wire bus of this machine' },
  system: {
    name: 'This machine',
    summary: 'Processor temperature and load, memory and disk of this machine',
  },
  forecast: {
    name: 'Weather forecast',
    summary: 'The weather expected some hours ahead, by Open-Meteo; an outdated forecast gives no values',
  },
  hd44780: {
    name: 'HD44780 over I2C',
    summary: 'A character display on the I2C bus of this machine, by i2c-tools; not tried on hardware yet',
  },
  virtual: { name: 'On screen', summary: 'A display on this screen: lines of measurements, times and text' },
} satisfies Record<DriverName, object>;

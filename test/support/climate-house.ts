import type { ActuatorRole, SensorRole } from '../../server/contract/facility.ts';
import { grower, testDevices } from './devices.ts';

export const night = { heating_c: 16, ventilation_c: 19 };
export const periods = [
  { name: 'Day', start: { event: 'sunrise' as const }, setpoints: { heating_c: 19, ventilation_c: 23, co2_ppm: 800 } },
  { name: 'Night', start: { event: 'sunset' as const }, setpoints: night },
];

/** A house with the simulated devices, some of them bound. */
export async function greenhouse() {
  const all = testDevices();
  const { inputs, outputs } = await all.presets.simulatedGreenhouse(grower, {});
  const [indoor, weather] = inputs;
  if (indoor === undefined || weather === undefined) throw new Error('the preset has them');
  const outputOf = (part: string) => outputs.find(({ options }) => options['part'] === part)?.unique_id ?? '';
  const sensor = (role: SensorRole, input: typeof indoor, measurement: string) => ({
    role,
    name: role,
    device_id: input.unique_id,
    measurement_id: input.channels.find((one) => one.measurement === measurement)?.measurement_id ?? '',
  });
  const thermometer = sensor('indoor_temp', indoor, 'temperature');
  const co2Sensor = sensor('indoor_co2', indoor, 'co2');
  const actuator = (role: ActuatorRole, part: string) => ({ role, name: part, device_id: outputOf(part) });
  const house = all.house({
    sensors: [thermometer, co2Sensor],
    actuators: [actuator('heater', 'heater'), actuator('roof_vent', 'roof_vent'), actuator('co2_supply', 'co2')],
  });
  const save = (body: object) => all.climates.save(grower, house.unique_id, { periods, ...body });
  return { ...all, house, save, outputOf, thermometer, actuator, pids: all.storedSettings.get('pid') };
}

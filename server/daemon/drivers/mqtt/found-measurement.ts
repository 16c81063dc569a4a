import type { MeasurementName } from '../../../contract/units.ts';

interface Meant {
  measurement: MeasurementName;
  /** Set when it is not the stored unit. */
  raw_unit?: string;
}

/** Units as Home Assistant writes them, by device class; `true` for the stored unit. */
const units: Readonly<Record<string, readonly [MeasurementName, Readonly<Record<string, string | true>>]>> = {
  temperature: ['temperature', { '°C': true, '°F': 'F', K: 'K' }],
  humidity: ['humidity', { '%': true }],
  moisture: ['moisture', { '%': true }],
  carbon_dioxide: ['co2', { ppm: true }],
  irradiance: ['radiation', { 'W/m²': true }],
  illuminance: ['illuminance', { lx: true }],
  wind_speed: ['wind_speed', { 'm/s': true, 'km/h': 'km/h', mph: 'mph', kn: 'kn' }],
  precipitation_intensity: ['rain', { 'mm/h': true, 'in/h': 'in/h' }],
  atmospheric_pressure: ['pressure', { Pa: true, hPa: 'hPa', kPa: 'kPa', bar: 'bar', psi: 'psi' }],
  pressure: ['pressure', { Pa: true, hPa: 'hPa', kPa: 'kPa', bar: 'bar', psi: 'psi' }],
  volume_flow_rate: ['flow', { 'L/h': true, 'L/min': 'l/min', 'm³/h': 'm3/h' }],
  conductivity: ['ec', { 'mS/cm': 'mS/cm', 'µS/cm': 'uS/cm', 'μS/cm': 'uS/cm' }],
  ph: ['ph', { '': true }],
  power: ['power', { W: true, kW: 'kW' }],
  energy: ['energy', { kWh: true, Wh: 'Wh', MWh: 'MWh', MJ: 'MJ', GJ: 'GJ' }],
  water: ['volume', { 'm³': true, L: 'l' }],
  voltage: ['voltage', { V: true, mV: 'mV' }],
  current: ['current', { A: true, mA: 'mA' }],
};

/** The measurement for a device class and unit; a bare number when either is unknown. */
export function measurementOf(deviceClass = '', unit = ''): Meant {
  const [measurement, known] = (Object.hasOwn(units, deviceClass) ? units[deviceClass] : undefined) ?? [];
  const raw = known !== undefined && Object.hasOwn(known, unit) ? known[unit] : undefined;
  if (measurement === undefined || raw === undefined) return { measurement: 'unitless' };
  return raw === true ? { measurement } : { measurement, raw_unit: raw };
}

import { openMeasurementWriter } from '../../server/measurement/sqlite/writer.ts';

/**
 * Writes 5,000 samples a second of 500 channels into the file of the first argument, ten times a second, until it is
 * killed.
 */
const [file = ''] = process.argv.slice(2);
const writer = openMeasurementWriter(file);
const channels = 500;

setInterval(() => {
  const timeMs = Date.now();
  const samples = Array.from({ length: channels }, (_, sensor) => ({
    device_id: `00000000-0000-4000-8000-${String(sensor).padStart(12, '0')}`,
    measurement_id: '00000000-0000-4000-8000-000000000000',
    channel: 0,
    value: sensor + Math.random(),
    unit: 'C',
    quality: 'good' as const,
    time_ms: timeMs,
  }));
  void writer.write(samples).then(() => process.send?.(samples.length));
}, 100);

import { method as methodSettings } from '../../server/contract/method.ts';
import { onTestFinished } from 'vitest';
import { type Pid } from '../../server/contract/pid.ts';
import { Pids } from '../../server/daemon/controllers/pid/pids.ts';
import { LiveValues } from '../../server/daemon/events/live-values.ts';
import type { Input } from '../../server/contract/input.ts';
import { measuredOf, rememberedSamples } from './measured.ts';
import { heaterId, indoorId, plainChannel, simulatedOutput, temperatureId, ventId } from './daemon-site.ts';
import { MemoryControlStore } from './output-bench.ts';
import { noWatchdog, outputsSite } from './outputs-site.ts';

export const pidId = '00000000-0000-4000-8000-0000000000b1';
export const methodId = '00000000-0000-4000-8000-0000000000b3';
export const otherId = '00000000-0000-4000-8000-0000000000b2';

export const venting: Pid = {
  unique_id: pidId,
  name: 'Venting',
  is_activated: true,
  measurement: { device_id: indoorId, measurement_id: temperatureId, max_age_s: 60 },
  setpoint: 24,
  method_id: null,
  setpoint_measurement: null,
  period_s: 10,
  kp: 5,
  ki: 0.1,
  kd: 0,
  derivative_filter_s: 0,
  integrator_min: null,
  integrator_max: null,
  band: 0,
  direction: 'lower',
  raise: null,
  lower: { output_id: ventId, channel: 0, kind: 'pwm' },
};

export const day = methodSettings.parse({
  unique_id: methodId,
  name: 'Day',
  unit: 'C',
  is_activated: true,
  kind: 'daily',
  shape: 'linear',
  points: [{ at: '06:00', value: 22 }],
});

const thermometer: Input = {
  unique_id: indoorId,
  name: 'Indoors',
  driver: 'simulated',
  options: {},
  period_s: 10,
  start_offset_s: 0,
  pre_output: null,
  power_output: null,
  is_activated: true,
  channels: [plainChannel],
};

/** A really driven vent and heater, and a thermometer that the test reads. */
export async function bench(store = new MemoryControlStore()) {
  const site = outputsSite({ store });
  const { clock, events, outputs } = site;
  const live = new LiveValues(clock, events);
  onTestFinished(() => live.stop());
  const method = { value: 22, unit: 'C' };
  const curves = {
    curve: (id: string) => (id === methodId ? () => method.value : undefined),
    method: (id: string) => (id === methodId ? { ...day, unit: method.unit } : undefined),
  };
  const stored = rememberedSamples();
  const measured = measuredOf(() => ({ input: [thermometer] }));
  const { writer } = stored;
  const pids = new Pids({ clock, events, live, outputs, store, watchdog: noWatchdog, curves, writer, measured });
  await site.start([simulatedOutput(ventId, 'side_vent'), simulatedOutput(heaterId, 'heater')]);
  const read = (value: number | null, quality: 'good' | 'bad' = 'good'): void => {
    const where = { device_id: indoorId, measurement_id: temperatureId, channel: 0 };
    live.record({ ...where, value, unit: 'C', quality, time_ms: clock.now() });
  };
  /** One period at a number in another unit. */
  const readIn = async (unit: string, value: number): Promise<void> => {
    const where = { device_id: indoorId, measurement_id: temperatureId, channel: 0 };
    live.record({ ...where, value, unit, quality: 'good', time_ms: clock.now() });
    await clock.advance(venting.period_s * 1000);
  };
  /** This many periods at a temperature. */
  const run = async (periods: number, value: number, period_s = venting.period_s): Promise<void> => {
    for (let n = 0; n < periods; n += 1) {
      read(value);
      await clock.advance(period_s * 1000);
    }
  };
  return {
    ...site,
    live,
    stored,
    pids,
    read,
    readIn,
    run,
    method,
    state: () => pids.get(pidId).live(),
    vent: () => site.stateOf(ventId),
  };
}

export async function running(settings: Partial<Pid> = {}, store?: MemoryControlStore) {
  const one = await bench(store);
  one.read(26);
  await one.pids.activate({ ...venting, ...settings });
  await one.clock.advance(0);
  return one;
}

import { onTestFinished } from 'vitest';
import type { FunctionSettings } from '../../server/contract/function.ts';
import type { Input } from '../../server/contract/input.ts';
import type { OutputChannel } from '../../server/contract/output.ts';
import { Functions } from '../../server/daemon/controllers/function/kind.ts';
import { LiveValues } from '../../server/daemon/events/live-values.ts';
import { heaterId, indoorId, plainChannel, simulatedOutput, temperatureId, ventId } from './daemon-site.ts';
import { measuredOf, rememberedSamples } from './measured.ts';
import { noWatchdog, outputsSite } from './outputs-site.ts';

export const id = (n: number) => `00000000-0000-4000-8000-0000000000f${n}`;
export const own = id(1);
export const humidityId = id(2);
export const indoor = {
  unique_id: indoorId,
  name: 'Indoors',
  driver: 'simulated',
  options: {},
  period_s: 10,
  start_offset_s: 0,
  pre_output: null,
  power_output: null,
  is_activated: true,
  channels: [
    plainChannel,
    { ...plainChannel, channel: 1, measurement_id: humidityId, measurement: 'humidity', unit: '%' },
  ],
} satisfies Input;

export const series = (measurement_id: string) => ({ device_id: indoorId, measurement_id, max_age_s: 60 });

/** Functions with really driven outputs, and readings that the test sets. */
export async function functionHouse(heater: Partial<OutputChannel> = {}) {
  const site = outputsSite();
  const { clock, events, outputs, store } = site;
  const live = new LiveValues(clock, events);
  onTestFinished(() => live.stop());
  const stored = rememberedSamples();
  const configured: FunctionSettings[] = [];
  const measured = measuredOf(() => ({ input: [indoor], function: configured }));
  /** Functions that continue from the saved state. */
  const begin = () =>
    new Functions({
      clock,
      events,
      live,
      outputs,
      store,
      watchdog: noWatchdog,
      writer: stored.writer,
      measured,
      configuration: { place: () => ({ lat: 51.9, lng: 4.4, time_zone: 'UTC' }) },
    });
  const functions = begin();
  onTestFinished(() => void functions.stop());
  await site.start([simulatedOutput(ventId, 'heater'), simulatedOutput(heaterId, 'heater', heater)]);
  const read = (
    value: number,
    {
      measurement_id = temperatureId,
      unit = 'C',
      quality = 'good',
    }: { measurement_id?: string; unit?: string; quality?: 'good' | 'bad' } = {},
  ) => live.record({ device_id: indoorId, measurement_id, channel: 0, value, unit, quality, time_ms: clock.now() });
  /** A period at a temperature. */
  const at = async (value: number) => {
    read(value);
    await clock.advance(10_000);
    return site.stateOf(heaterId);
  };
  return { ...site, live, stored, configured, begin, functions, read, at, state: () => functions.get(own)?.live() };
}

import { useIntervalFn } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef } from 'vue';
import { measurementEndpoints } from '../../../server/contract/measurement-query.ts';
import { ownMeasurementId, seriesKey } from '../../../server/contract/measured.ts';
import { pidChannels, pidLive, type Pid, type PidLive } from '../../../server/contract/pid.ts';
import type { Span } from '../../chart/night.ts';
import type { Line } from '../../chart/lines.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall, useClient } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';
import { useSettings } from '../../stores/settings.ts';
import { showQuantity, shownUnit } from '../../units/quantity.ts';
import { controlUnit } from './pid-form.ts';
import { noTrace, stretch, traced, traceWith, withHistory, type Columns, type Traced } from './pid-trace.ts';

interface PidTrace {
  now: ComputedRef<PidLive | undefined>;
  span: ComputedRef<Span>;
  /** Setpoint and measurement; below them the terms and their sum. */
  values: ComputedRef<Line[]>;
  terms: ComputedRef<Line[]>;
}

/** The live trace of a PID, after the stored values from before the page was opened; late answers are dropped. */
export function usePidTrace(pid: () => Pid, unit: () => string, minutes: () => number): PidTrace {
  const call = useCall();
  const { clock } = useClient();
  const live = useLive();
  const settings = useSettings();
  const { t } = useText();
  const trace = shallowRef(noTrace);
  const stored = shallowRef<Partial<Record<Traced, Columns>>>({});
  let asked = 0;
  const endMs = shallowRef(clock.now());
  const now = computed(() => pidLive.safeParse(live.control(pid().unique_id)).data);
  const span = computed(() => stretch(minutes(), endMs.value));

  async function readStored(): Promise<void> {
    const mine = (asked += 1);
    const names = seriesOf(pid());
    const { from_ms, to_ms } = span.value;
    const query = {
      series: Object.values(names).join(','),
      from: new Date(from_ms).toISOString(),
      to: new Date(to_ms).toISOString(),
    };
    try {
      const { series } = await call(measurementEndpoints.multi, { query });
      if (mine !== asked) return;
      const found = new Map(series.map((one) => [seriesKey(one), one]));
      stored.value = Object.fromEntries(traced.map((key) => [key, found.get(names[key])]));
    } catch (error) {
      if (!isApiError(error)) throw error; // live values are drawn anyway
    }
  }

  const line = (key: Traced, look: number, wireUnit: string, column: Columns): Line => ({
    key: t(nameOf[key]),
    look,
    unit: shownUnit(wireUnit, settings.units),
    times: column.times,
    values: column.values.map((value) => (value === null ? null : showQuantity(value, wireUnit, settings.units).value)),
  });
  const told = (key: Traced): Columns => withHistory(stored.value[key] ?? noColumns, trace.value, key);

  watch(now, (one) => one !== undefined && (trace.value = traceWith(trace.value, clock.now(), one)), {
    immediate: true,
  });
  watch(() => [pid().unique_id, minutes()], readStored, { immediate: true });
  useIntervalFn(() => (endMs.value = clock.now()), 1_000);

  return {
    now,
    span,
    values: computed(() => [
      line('setpoint', 1, unit(), told('setpoint')),
      line('measurement', 0, unit(), told('measurement')),
    ]),
    terms: computed(() =>
      (['p', 'i', 'd', 'control'] as const).map((key, at) => line(key, at + 2, controlUnit(pid()), told(key))),
    ),
  };
}

const noColumns: Columns = { times: [], values: [] };

/** The series of each. The measurement is its sensor's, which existed before the PID. */
function seriesOf({ unique_id, measurement }: Pid): Record<Traced, string> {
  const own = (key: Traced): string =>
    seriesKey({ device_id: unique_id, measurement_id: ownMeasurementId(unique_id, pidChannels.indexOf(key)) });
  const all = Object.fromEntries(traced.map((key) => [key, own(key)])) as Record<Traced, string>; // one for each
  return { ...all, measurement: seriesKey(measurement) };
}

const nameOf = {
  setpoint: 'control.setpoint',
  measurement: 'control.measured',
  p: 'control.share.p',
  i: 'control.share.i',
  d: 'control.share.d',
  control: 'control.shares',
} as const;

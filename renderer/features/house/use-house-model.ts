import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import type { Facility, SensorRole } from '../../../server/contract/facility.ts';
import { useText } from '../../i18n/index.ts';
import { airField, type AirField } from '../../scene/air-field.ts';
import type { Outline } from '../../scene/bays.ts';
import { sunAt } from '../../scene/compass.ts';
import { stateOf } from '../../scene/drives.ts';
import { houseParts, type ModelHouse } from '../../scene/house-parts.ts';
import type { Part, PartState } from '../../scene/part.ts';
import { spotOf } from '../../scene/sensors.ts';
import { weatherPlaces, type Weather } from '../../scene/weather.ts';
import { useLive } from '../../stores/live.ts';
import { useSettings } from '../../stores/settings.ts';
import { useFormat } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { modelHouseOf } from '../facility/model/model-house.ts';
import type { ModelLabel } from '../facility/model/label-places.ts';
import { partName, stateText } from './model-text.ts';
import type { Reading } from './reading.ts';
import { useModelPlaces, type ModelPlaces } from './use-model-places.ts';

export const airColors = ['none', 'temperature', 'humidity'] as const;
type AirColor = (typeof airColors)[number];
const roleOfColor = { temperature: 'indoor_temp', humidity: 'indoor_humidity' } as const;

export interface HouseModel {
  places: ModelPlaces;
  house: ComputedRef<ModelHouse | null>;
  parts: ComputedRef<Part[]>;
  states: ComputedRef<ReadonlyMap<string, PartState>>;
  weather: ComputedRef<Weather>;
  colorBy: ShallowRef<AirColor>;
  air: ComputedRef<AirField | null>;
  labels: ComputedRef<ModelLabel[]>;
  /** Stale while there is no connection. */
  readings: ComputedRef<readonly Reading[]>;
  readingOf: (part: Part) => Reading | undefined;
}

const minuteMs = 60_000;

/** Joins the values of sensors at the same place into one label. */
function joined(labels: readonly ModelLabel[]): ModelLabel[] {
  const groups = Map.groupBy(labels, ({ id, tone, place }) => (tone === 'quiet' ? id : `${tone} ${place.join(' ')}`));
  return [...groups.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [{ ...first, text: [...new Set([first, ...rest].map(({ text }) => text))].join(' · ') }],
  );
}

/** The model of a house with the present state of its devices. */
export function useHouseModel(facility: () => Facility | null, heard: () => readonly Reading[]): HouseModel {
  const { t } = useText();
  const format = useFormat();
  const live = useLive();
  const settings = useSettings();
  const now = useNow();
  const places = useModelPlaces(facility);
  const colorBy = shallowRef<AirColor>('none');

  /** What was heard last is not what is: without a connection no state is known, and every value is old. */
  const readings = computed(() =>
    live.isCurrent
      ? heard()
      : heard().map((one) => (one.quality === 'good' ? { ...one, quality: 'stale' as const } : one)),
  );
  const house = computed(() => {
    const known = facility();
    return known === null ? null : modelHouseOf(known, places.spots.value);
  });
  const parts = computed(() => (house.value === null ? [] : houseParts(house.value)));
  const states = computed(
    () =>
      new Map(
        parts.value.map(({ id, drives }) => [
          id,
          stateOf(drives, ({ device_id, channel }) => {
            if (!live.isCurrent) return undefined;
            const first = live.device(device_id)?.channels[0]?.channel;
            return live.output(device_id, channel ?? first ?? 0)?.state;
          }),
        ]),
      ),
  );

  const good = (role: SensorRole): number | null =>
    readings.value.find(({ binding, quality }) => binding.role === role && quality === 'good')?.value ?? null;
  const minute = computed(() => Math.floor(now.value / minuteMs) * minuteMs);
  const sun = computed(() => {
    const place = places.position.value ?? settings.site;
    return place === null ? null : sunAt(minute.value, place);
  });
  const wind = computed<Weather['wind']>((before) => {
    const [speed_m_s, from_deg] = [good('outdoor_wind'), good('outdoor_wind_dir')];
    if (speed_m_s === null || from_deg === null) return null;
    return before?.speed_m_s === speed_m_s && before.from_deg === from_deg ? before : { speed_m_s, from_deg };
  });
  const weather = computed<Weather>(() => ({ wind: wind.value, sun: sun.value }));

  const air = computed(() => {
    if (house.value === null || colorBy.value === 'none') return null;
    const { outline, spots } = house.value;
    const role = roleOfColor[colorBy.value];
    const samples = readings.value.flatMap(({ binding, value, quality }) => {
      const spot = binding.role === role && quality === 'good' ? spotOf(outline, binding, spots) : null;
      return spot === null || value === null ? [] : [{ ...spot, value }];
    });
    return airField(outline, samples);
  });

  const readingOf = (part: Part): Reading | undefined =>
    readings.value.find(({ binding }) => part.id === `sensor:${binding.role}:${binding.measurement_id}`);

  function labelOf(part: Part): ModelLabel | null {
    const base = { id: part.id, place: part.place };
    if (part.role === 'sensor') {
      const reading = readingOf(part);
      const isKnown = reading !== undefined && reading.value !== null && reading.quality === 'good';
      const text = isKnown ? format.quantity(reading.value, reading.unit) : t('ui.unknown');
      return { ...base, text, tone: isKnown ? 'value' : 'unknown' };
    }
    const state = states.value.get(part.id) ?? 'undriven';
    const text = state === 'undriven' ? null : stateText(part, state, { t, format });
    if (text === null || state === 0) return null;
    return { ...base, text: `${partName(part, t)} ${text}`, tone: state === 'unknown' ? 'unknown' : 'quiet' };
  }
  const labels = computed(() => {
    const all = joined(parts.value.flatMap((part) => labelOf(part) ?? []));
    const signs = house.value === null || places.front_deg.value === null ? [] : weatherLabels(house.value.outline);
    return [...all.filter(({ tone }) => tone === 'value'), ...signs, ...all.filter(({ tone }) => tone !== 'value')];
  });
  function weatherLabels(outline: Outline): ModelLabel[] {
    const { north, wind: arrow, sun: disc } = weatherPlaces(outline, places.front_deg.value ?? 0, weather.value);
    const front = [0, 0.1, -outline.length_m / 2 - 1] as const;
    return [
      { id: 'weather:north', place: north.to, text: t('model.north'), tone: 'quiet' },
      { id: 'front', place: front, text: t('model.front'), tone: 'quiet' },
      ...(arrow === null || wind.value === null
        ? []
        : [
            {
              id: 'weather:wind',
              place: arrow.from,
              text: format.quantity(wind.value.speed_m_s, 'm/s'),
              tone: 'quiet' as const,
            },
          ]),
      ...(disc === null ? [] : [{ id: 'weather:sun', place: disc, text: t('model.sun'), tone: 'quiet' as const }]),
    ];
  }

  return { places, house, parts, states, weather, colorBy, air, labels, readings, readingOf };
}

import { computed, shallowRef, watch } from 'vue';
import type { Feature } from '../../../server/contract/overlay.ts';
import { mostPipeGroups } from '../../../server/contract/pipe-hydraulics.ts';
import { useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';
import { useOpenMap } from '../../stores/map.ts';
import { plansOf } from './moved-pipes.ts';
import { groundOptions, lineChoices, newGroundDraft } from './pipe-ground.ts';
import { newRouteDraft, routeOptions } from './pipe-route.ts';
import { groupsOf, hydraulicsOf, newSizeDraft } from './pipe-sizes.ts';
import type { Wanted } from './use-pipe-requests.ts';

/** Devices that pipes can lead to: those on the map, and those that its houses bind. */
interface PipeDevices {
  placed: ReadonlyMap<string, string>;
  bound: ReadonlySet<string>;
}

/** The values of the pipe forms, their choices, and the resulting request. */
export function usePipeDraft(props: PipeDevices) {
  const { t } = useText();
  const live = useLive();
  const store = useOpenMap();

  const devices = computed(() =>
    [...new Set([...props.placed.keys(), ...props.bound])]
      .map((id) => ({ value: id, title: live.device(id)?.name ?? id, kind: live.device(id)?.kind }))
      .toSorted((one, other) => one.title.localeCompare(other.title, undefined, { numeric: true })),
  );
  /** Chosen at first: what a house binds besides is seldom a valve. */
  const outputs = computed(() =>
    devices.value.flatMap(({ value, kind }) => (kind === 'output' && props.placed.has(value) ? [value] : [])),
  );
  const route = shallowRef(newRouteDraft(outputs.value, devices.value[0]?.value));
  const ground = shallowRef(newGroundDraft());
  const sizes = shallowRef(newSizeDraft());

  // Devices may become known only after the panel was opened.
  watch(outputs, (now, before) => {
    const { chosen, sources } = route.value;
    if (now.length === before.length || chosen.length !== before.length) return;
    route.value = { ...route.value, chosen: now, sources: before.length === 0 ? now.slice(0, 1) : sources };
  });

  const targets = computed(() => route.value.chosen.filter((id) => !route.value.sources.includes(id)));
  const sources = computed(() => devices.value.filter(({ value }) => route.value.sources.includes(value)));
  const valves = computed(() => devices.value.filter(({ value }) => targets.value.includes(value)));

  const nameOf = ({ properties: { type, name } }: Feature): string => name || t(`map.types.${type}`);
  const choiceOf = (feature: Feature) => ({ value: feature.properties.unique_id, title: nameOf(feature) });
  /** Areas in one piece. */
  const areas = computed(() =>
    store.features.flatMap((feature) =>
      feature.geometry.type === 'Polygon' && ['zone', 'bay', 'facility', 'site'].includes(feature.properties.type)
        ? [choiceOf(feature)]
        : [],
    ),
  );
  const houses = computed(() =>
    store.features.flatMap((feature) => (feature.properties.type === 'facility' ? [choiceOf(feature)] : [])),
  );
  const linesOf = (...types: Feature['properties']['type'][]) =>
    lineChoices(store.features, types, { replaced: plansOf(store.features)[0], nameOf });
  const existing = computed(() => linesOf('pipe'));
  const corridors = computed(() => linesOf('infrastructure', 'reference', 'connection'));

  const hydraulics = computed(() => hydraulicsOf(sizes.value, targets.value, route.value.sources));
  const hasTooManyGroups = computed(
    () => sizes.value.isWanted && (groupsOf(sizes.value, targets.value)?.length ?? 0) > mostPipeGroups,
  );
  const isComplete = computed(() => sources.value.length > 0 && targets.value.length > 0 && hydraulics.value !== null);
  const wanted = computed((): Wanted => ({
    device_ids: [...route.value.sources, ...targets.value],
    source_device_ids: route.value.sources,
    options: { ...groundOptions(ground.value), ...routeOptions(route.value) },
    ...(hydraulics.value != null && { hydraulics: hydraulics.value }),
  }));
  return {
    route,
    ground,
    sizes,
    devices,
    sources,
    valves,
    areas,
    houses,
    existing,
    corridors,
    hasTooManyGroups,
    isComplete,
    wanted,
  };
}

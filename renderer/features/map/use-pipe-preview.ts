import { onActivated, onBeforeUnmount, onDeactivated, watch, type ComputedRef, type ShallowRef } from 'vue';
import type { PipeFeature, PipePlan } from '../../../server/contract/pipe.ts';
import { useText } from '../../i18n/index.ts';
import type { PreviewHandle } from '../../map/preview-handles.ts';
import type { SiteMap } from '../../map/site-map.ts';
import { useOpenMap } from '../../stores/map.ts';
import type { Choice } from './pipe-choice.ts';
import { overlapAreas, previewOf, type PipeShade } from './pipe-colors.ts';
import { onWall, rounded, type GroundDraft, type MapPlace } from './pipe-ground.ts';

interface Shown {
  map: () => SiteMap | null;
  plan: ShallowRef<PipePlan | null>;
  /** Pipes of the map that were laid before. */
  saved: ComputedRef<readonly PipeFeature[]>;
  ground: ShallowRef<GroundDraft>;
  houses: ComputedRef<Choice[]>;
  shade: ShallowRef<PipeShade | null>;
  isRainShown: ShallowRef<boolean>;
  /** After a place was dragged. */
  dragged: () => void;
}

/**
 * Shows a plan on the map before it is saved, its colours after that too, and the places that pipes are led through by
 * dragging.
 */
export function usePipePreview({ map, plan, saved, ground, houses, shade, isRainShown, dragged }: Shown): void {
  const { t } = useText();
  const store = useOpenMap();

  /** While the panel is closed, what else lies beside the map may show its own. */
  let isOpen = true;
  watch([plan, saved, shade, isRainShown], showPlan);
  watch(ground, showPlaces);
  onActivated(() => {
    isOpen = true;
    showPlan();
    showPlaces();
  });
  onDeactivated(() => {
    clear();
    isOpen = false;
  });
  onBeforeUnmount(() => {
    if (isOpen) clear();
  });

  function clear(): void {
    map()?.showPreview([]);
    map()?.showHandles([]);
  }

  function showPlan(): void {
    if (!isOpen) return;
    const [found, laid, by] = [plan.value, saved.value, shade.value];
    const overlaps = found?.hydraulics?.zones.flatMap(({ overlap }) => overlap ?? []) ?? [];
    const rain = isRainShown.value ? overlapAreas(overlaps) : [];
    // The map draws what is saved; the preview adds only colours.
    const isNew = found !== null && found.revision === null;
    const pipes = isNew
      ? found.features
      : (found?.features ?? laid).filter(({ properties }) => by !== null && properties[by] !== undefined);
    map()?.showPreview([...rain, ...previewOf(pipes, by)]);
  }

  function showPlaces(): void {
    const { via, entries } = ground.value;
    if (isOpen) map()?.showHandles([...via.map(viaHandle), ...entries.map(entryHandle)]);
  }

  function viaHandle(place: MapPlace, at: number): PreviewHandle {
    return {
      ...place,
      label: t('pipes.via', { n: at + 1 }),
      moved: (to) => {
        ground.value = { ...ground.value, via: ground.value.via.with(at, rounded(to)) };
        dragged();
      },
    };
  }

  function entryHandle({ feature_id, lat, lng }: GroundDraft['entries'][number], at: number): PreviewHandle {
    const house = houses.value.find(({ value }) => value === feature_id)?.title ?? '';
    return {
      lat,
      lng,
      label: t('pipes.entryOf', { house }),
      moved: (to) => {
        const outline = store.find(feature_id);
        const place = outline === undefined ? rounded(to) : onWall(outline, to);
        ground.value = { ...ground.value, entries: ground.value.entries.with(at, { feature_id, ...place }) };
        dragged();
      },
    };
  }
}

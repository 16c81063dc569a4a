import type { Layers } from '../../server/contract/design-fields.ts';
import { featureTypes, type FeatureType } from '../../server/contract/overlay.ts';
import { rankOf } from './look.ts';

/** How the features of one type are shown. */
export interface TypeLayer {
  type: FeatureType;
  isVisible: boolean;
  /** 0 to 1. */
  opacity: number;
}

type Overlays = NonNullable<Layers['overlays']>;

const usual: readonly TypeLayer[] = featureTypes
  .toSorted((a, b) => rankOf(a) - rankOf(b))
  .map((type) => ({ type, isVisible: true, opacity: 1 }));

/** A layer for each type, bottom to top; types that a map does not list have their default position. */
export function typeLayersOf(overlays: Layers['overlays'] = []): TypeLayer[] {
  const said = overlays.flatMap(({ id, visible, opacity = 1 }) => {
    const type = featureTypes.find((one) => one === id);
    return type === undefined ? [] : [{ type, isVisible: visible, opacity }];
  });
  const layers = said.filter(({ type }, at) => said.findIndex((one) => one.type === type) === at);
  for (const [at, layer] of usual.entries()) {
    if (layers.some(({ type }) => type === layer.type)) continue;
    const beneath = usual.slice(0, at).map(({ type }) => type);
    const after = layers.findLastIndex(({ type }) => beneath.includes(type));
    layers.splice(after + 1, 0, layer);
  }
  return layers;
}

/** The layers to save; foreign entries of a map stay, on top. */
export function overlaysOf(layers: readonly TypeLayer[], before: Layers['overlays'] = []): Overlays {
  const others = before.filter(({ id }) => !featureTypes.some((type) => type === id));
  return [...layers.map(({ type, isVisible, opacity }) => ({ id: type, visible: isVisible, opacity })), ...others];
}

/** The layers with one moved up (positive) or down in their order. */
export function movedLayer(layers: readonly TypeLayer[], type: FeatureType, by: number): TypeLayer[] {
  const from = layers.findIndex((one) => one.type === type);
  const layer = layers[from];
  if (layer === undefined || layers[from + by] === undefined) return [...layers];
  const others = layers.filter((one) => one !== layer);
  return [...others.slice(0, from + by), layer, ...others.slice(from + by)];
}

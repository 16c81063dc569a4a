import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layers as layersSchema } from '../../../../server/contract/design-fields.ts';
import { featureTypes } from '../../../../server/contract/overlay.ts';
import { movedLayer, overlaysOf, typeLayersOf } from '../../../../renderer/map/layer-settings.ts';

const overlay = fc.record({
  id: fc.oneof(fc.constantFrom(...featureTypes), fc.constantFrom('radar', 'wms 1')),
  visible: fc.boolean(),
  opacity: fc.double({ min: 0, max: 1, noNaN: true }),
});
const types = (layers: { type: string }[]): string[] => layers.map(({ type }) => type);

describe('the layers of a map', () => {
  it('are one for each type, whatever the map says, and what is saved reads the same', () => {
    fc.assert(
      fc.property(fc.array(overlay, { maxLength: 15 }), (overlays) => {
        const layers = typeLayersOf(overlays);
        expect(types(layers).sort()).toEqual([...featureTypes].sort());
        const saved = overlaysOf(layers, overlays);
        expect(layersSchema.safeParse({ overlays: saved }).success).toBe(true);
        expect(typeLayersOf(saved)).toEqual(layers);
        const others = (list: { id: string }[]) => list.filter(({ id }) => /radar|wms/.test(id));
        expect(others(saved)).toEqual(others(overlays));
      }),
    );
  });

  it('lie as usual where the map says nothing, and one moved stands as far away as it was moved', () => {
    const usual = typeLayersOf();
    expect(types(usual).slice(0, 2)).toEqual(['site', 'zone']);
    expect(types(movedLayer(usual, 'site', 1)).slice(0, 3)).toEqual(['zone', 'site', 'reference']);
    expect(types(movedLayer(usual, 'site', 2)).slice(0, 3)).toEqual(['zone', 'reference', 'site']);
    expect(movedLayer(usual, 'site', -1)).toEqual(usual);
    // A type that came later stands above what usually lies beneath it.
    const some = overlaysOf(usual).filter(({ id }) => id !== 'facility');
    expect(typeLayersOf(some)).toEqual(usual);
  });
});

import { describe, expect, it } from 'vitest';
import { mapSketch, type MapSketch } from '../../../../server/contract/design.ts';
import { ann, drawn, parsed, refusalOf, testMaps, type TestMaps } from '../../../support/maps.ts';

const many = 5_001;

const readSketch = async (maps: TestMaps, id: string): Promise<MapSketch> =>
  mapSketch.parse(parsed(await maps.designs.sketch(id)));

/** How many runs of a type cover each cell. */
function coverage({ blocks }: MapSketch, type: string): Map<string, number> {
  const runs = blocks.find((one) => one.type === type)?.runs ?? [];
  const cells = new Map<string, number>();
  for (let at = 0; at < runs.length; at += 3) {
    const [from = 0, row = 0, length = 0] = runs.slice(at, at + 3);
    for (let column = from; column < from + length; column += 1)
      cells.set(`${column} ${row}`, (cells.get(`${column} ${row}`) ?? 0) + 1);
  }
  return cells;
}

function cellOf({ west, south, cell_deg }: MapSketch, [lng = 0, lat = 0]: number[]): string {
  return `${Math.floor((lng - west) / cell_deg)} ${Math.floor((lat - south) / cell_deg)}`;
}

describe('the sketch of a map', () => {
  it('covers each small feature once, by type, and sends large ones themselves', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const places = Array.from({ length: many }, (_, index) => [127 + (index % 100) / 500, 37 + index / 50_000]);
    const points = places.map((coordinates, index) =>
      drawn({ type: index % 2 === 0 ? 'label' : 'equipment', geometry: { type: 'Point', coordinates } }),
    );
    const line = { type: 'LineString', coordinates: [places[0] ?? [], places[many - 1] ?? []] };
    const pipe = drawn({ type: 'pipe', geometry: line });
    await maps.overlays.save({ geo_id, features: [...points, pipe] }, ann);
    const sketch = await readSketch(maps, geo_id);
    expect(sketch).toMatchObject({ map_uuid: geo_id, revision: 1, shapes: [pipe] });
    expect(sketch.blocks.map(({ type }) => type)).toEqual(['label', 'equipment']);
    for (const [first, type] of ['label', 'equipment'].entries()) {
      const wanted = places.filter((_, index) => index % 2 === first).map((place) => cellOf(sketch, place));
      expect(coverage(sketch, type)).toEqual(new Map(wanted.map((cell) => [cell, 1])));
    }
    const length = JSON.stringify(sketch).length;
    expect(length).toBeLessThan((await maps.designs.get(geo_id)).length / 4);
  });

  it('covers by cells what is too large for them where that is too much to send, but for the largest', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const column = (index: number) => {
      const [west, east] = [127 + index / 50_000, 127 + (index + 1) / 50_000];
      const ring = [
        [west, 37],
        [east, 37],
        [east, 37.02],
        [west, 37.02],
        [west, 37],
      ];
      return drawn({ type: 'bay', geometry: { type: 'Polygon', coordinates: [ring] } });
    };
    const ends = [
      [127, 36.99],
      [127.1, 37.03],
    ];
    const pipe = drawn({ type: 'pipe', geometry: { type: 'LineString', coordinates: ends } });
    await maps.overlays.save({ geo_id, features: [...Array.from({ length: many }, (_, at) => column(at)), pipe] }, ann);
    const sketch = await readSketch(maps, geo_id);
    expect(sketch.shapes).toEqual([pipe]);
    const covered = coverage(sketch, 'bay');
    for (let index = 0; index < many; index += 1)
      expect(covered.get(cellOf(sketch, [127 + (index + 0.5) / 50_000, 37.01]))).toBe(1);
  });

  it('has cells for features that all stand in one place', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const geometry = { type: 'Point', coordinates: [127, 37] };
    await maps.overlays.save(
      { geo_id, features: Array.from({ length: many }, () => drawn({ type: 'label', geometry })) },
      ann,
    );
    const { blocks, shapes } = await readSketch(maps, geo_id);
    expect({ blocks, shapes }).toEqual({ blocks: [{ type: 'label', runs: [0, 0, 1] }], shapes: [] });
  });

  it('is empty for a map that is read whole as soon, and refused for one that is not there', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    await maps.overlays.save({ geo_id, features: [drawn()] }, ann);
    expect(await readSketch(maps, geo_id)).toMatchObject({ blocks: [], shapes: [] });
    const missing = '00000000-0000-4000-8000-000000000000';
    expect((await refusalOf(maps.designs.sketch(missing))).code).toBe('not_found');
  });
});

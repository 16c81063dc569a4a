import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Feature, Geometry } from '../../../../../server/contract/overlay.ts';
import { checkGeometry, isFault } from '../../../../../server/domain/geometry/feature-geometry.ts';
import { EditBuffer, idOf } from '../../../../../renderer/map/edit-buffer.ts';
import { freeNames } from '../../../../../renderer/map/free-names.ts';
import { shapeActions, shapeTool } from '../../../../../renderer/features/map/shape-tools/list.ts';
import { soundAll } from '../../../../../renderer/features/map/shape-tools/shape-tool.ts';
import { area, box, line } from '../../../../support/farm.ts';

const isLong = process.env.TEST_SCALE === 'long';
const rounds = isLong ? 500 : 120;
/** The long one begins anew until its time is over. */
const leastMs = isLong ? 15 * 60_000 : 0;
/** Fewer than the buffer keeps. */
const edits = isLong ? 150 : 40;

/** Digits and order of members and all: what a byte for byte comparison means. */
function textOf(buffer: EditBuffer): string {
  return JSON.stringify(buffer.features().sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)));
}

function house(id: number, geometry: Geometry): Feature {
  const unique_id = `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
  return { type: 'Feature', geometry, properties: { type: 'facility', name: `House ${id}`, unique_id } };
}

const start = [
  house(1, area(box(0, 0, 8, 50))),
  house(2, area(box(8, 0, 16, 50))),
  house(3, area(box(30, 0, 60, 30), [...box(40, 10, 50, 20)].reverse())),
  house(4, { type: 'LineString', coordinates: line([0, 60], [50, 60], [50, 90]) }),
  house(5, { type: 'Point', coordinates: line([70, 70])[0] ?? [] }),
];

const metres = fc.integer({ min: -200, max: 900 }).map((decimetres) => decimetres / 10);
const place = fc.tuple(metres, metres);
const actions = ['add', 'remove', 'rename', ...shapeActions] as const;
const anyEdit = fc.record({
  action: fc.constantFrom(...actions),
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  numbers: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 }),
  places: fc.tuple(place, place, place),
});

type AnyEdit = typeof anyEdit extends fc.Arbitrary<infer T> ? T : never;

/** Returns whether it did something. */
async function doEdit(buffer: EditBuffer, edit: AnyEdit, newId: () => string): Promise<boolean> {
  const all = buffer.features();
  const shapes = [...new Set(edit.picks.map((pick) => all[pick % all.length]))].filter((one) => one !== undefined);
  const [[west, south]] = edit.places;
  if (edit.action === 'add' || shapes.length === 0) {
    const added = house(0, area(box(west, south, west + 8, south + 20)));
    return buffer.put([{ ...added, properties: { ...added.properties, unique_id: newId() } }]).length > 0;
  }
  if (edit.action === 'remove') return buffer.remove(shapes.map(idOf)).length > 0;
  if (edit.action === 'rename') {
    const name = String(edit.numbers[0]);
    return buffer.put(shapes.map((one) => ({ ...one, properties: { ...one.properties, name } }))).length > 0;
  }
  const tool = shapeTool(edit.action);
  if (!tool.fits(shapes) || all.length > 100) return false;
  const values = Object.fromEntries(
    tool.fields.map(({ key, least, most, kind }, at) => {
      const value = Math.max(least, -40) + (edit.numbers[at] ?? 0) * (Math.min(most, 120) - Math.max(least, -40));
      const count = kind === 'switch' ? Math.round(value / 120) : Math.min(3, Math.max(least, Math.round(value)));
      return [key, kind === 'number' ? value : count];
    }),
  );
  const drawn: Geometry =
    tool.draws === 'polygon' ? area(edit.places) : { type: 'LineString', coordinates: line(...edit.places) };
  const nextName = freeNames(all.map(({ properties }) => properties.name));
  const result = await tool.run({ shapes, values, drawn, newId, holdsHouse: (id) => id.endsWith('1'), nextName });
  const put = 'fault' in result ? null : await soundAll(result.edit.put);
  if ('fault' in result || put === null) return false;
  for (const { geometry } of put) assert.ok(!isFault(checkGeometry(geometry, 'facility')), edit.action);
  return buffer.change({ ...result.edit, put }).length > 0;
}

describe('a monkey at the map', () => {
  it(
    'draws nothing that the service would refuse, and undo takes all of it back byte for byte',
    async () => {
      const effective = new Set<string>();
      let id = 1_000;
      const newId = (): string => `00000000-0000-4000-8000-${String((id += 1)).padStart(12, '0')}`;
      const walk = fc.asyncProperty(fc.array(anyEdit, { minLength: edits / 2, maxLength: edits }), async (all) => {
        const buffer = new EditBuffer(start, 1);
        const first = textOf(buffer);
        let done = 0;
        for (const edit of all) {
          if (!(await doEdit(buffer, edit, newId))) continue;
          effective.add(edit.action);
          done += 1;
        }
        const last = textOf(buffer);
        for (let step = 0; step < done; step += 1) assert.notEqual(buffer.undo().length, 0);
        assert.equal(buffer.canUndo, false);
        assert.equal(textOf(buffer), first);
        assert.equal(buffer.pending(), null);
        for (let step = 0; step < done; step += 1) buffer.redo();
        assert.equal(textOf(buffer), last);
      });
      const from = performance.now();
      do await fc.assert(walk, { numRuns: rounds, endOnFailure: true });
      while (performance.now() - from < leastMs);
      expect([...effective].sort()).toEqual([...actions].sort());
    },
    20 * 60_000,
  );
});

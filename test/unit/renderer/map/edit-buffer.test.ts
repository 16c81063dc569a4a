import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Feature } from '../../../../server/contract/overlay.ts';
import { EditBuffer, idOf } from '../../../../renderer/map/edit-buffer.ts';
import { renamed, square } from './features.ts';

const a = square(1);
const b = square(2);
const c = square(3);

describe('pending', () => {
  it('is null while nothing differs from what was loaded', () => {
    expect(new EditBuffer([a], 3).pending()).toBeNull();
  });

  it('tells additions, changes and deletions apart', () => {
    const buffer = new EditBuffer([a, b], 3);
    buffer.put([c]);
    buffer.put([renamed(a, 'north')]);
    buffer.remove([idOf(b)]);
    expect(buffer.pending()).toEqual({ added: [c], modified: [renamed(a, 'north')], deleted: [idOf(b)], revision: 3 });
  });

  it('forgets what was made and taken away again', () => {
    const buffer = new EditBuffer([a], 3);
    buffer.put([c]);
    buffer.remove([idOf(c)]);
    expect(buffer.pending()).toBeNull();
  });

  it('keeps what was edited while a save was under way', () => {
    const buffer = new EditBuffer([a], 3);
    buffer.put([renamed(a, 'one')]);
    const sent = buffer.pending();
    buffer.put([renamed(a, 'two')]);
    if (sent !== null) buffer.saved(sent, 4);
    expect(buffer.pending()).toMatchObject({ modified: [renamed(a, 'two')], revision: 4 });
  });

  it('sends the change back when a saved edit is undone', () => {
    const buffer = new EditBuffer([a], 3);
    buffer.put([renamed(a, 'one')]);
    const sent = buffer.pending();
    if (sent !== null) buffer.saved(sent, 4);
    buffer.undo();
    expect(buffer.pending()).toMatchObject({ modified: [a], added: [], deleted: [] });
  });
});

describe('undo and redo', () => {
  it('takes steps back and forward again', () => {
    const buffer = new EditBuffer([a], 0);
    buffer.put([b]);
    buffer.remove([idOf(a)]);
    expect(buffer.undo()).toEqual([idOf(a)]);
    expect(buffer.get(idOf(a))).toEqual(a);
    buffer.undo();
    expect(buffer.features()).toEqual([a]);
    buffer.redo();
    buffer.redo();
    expect(buffer.features()).toEqual([b]);
    expect(buffer.canRedo).toBe(false);
  });

  it('brings a deleted shape back as the last, which is where the server puts what is added', () => {
    const buffer = new EditBuffer([a, b], 3);
    buffer.remove([idOf(a)]);
    const sent = buffer.pending();
    if (sent !== null) buffer.saved(sent, 4);
    buffer.undo();
    expect([buffer.features(), buffer.pending()?.added]).toEqual([[b, a], [a]]);
  });

  it('joins edits of one key into a step, as when a name is typed', () => {
    const buffer = new EditBuffer([a], 0);
    for (const name of ['n', 'no', 'nor']) buffer.put([renamed(a, name)], 'name');
    buffer.undo();
    expect(buffer.get(idOf(a))).toEqual(a);
    expect(buffer.canUndo).toBe(false);
  });

  it('drops what could be redone when something new is done', () => {
    const buffer = new EditBuffer([a], 0);
    buffer.put([b]);
    buffer.undo();
    buffer.put([c]);
    expect(buffer.canRedo).toBe(false);
  });

  it('does not count an edit that changes nothing', () => {
    const buffer = new EditBuffer([a], 0);
    expect(buffer.put([structuredClone(a)])).toEqual([]);
    expect(buffer.canUndo).toBe(false);
  });
});

describe('whatever is done', () => {
  const edit = fc.oneof(
    fc.record({ put: fc.integer({ min: 1, max: 5 }), name: fc.constantFrom('x', 'y', 'z') }),
    fc.record({ remove: fc.integer({ min: 1, max: 5 }) }),
  );

  it('comes back to the start by undoing all, and to the end by redoing all', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
        const buffer = new EditBuffer([a, b], 0);
        for (const one of edits) {
          if ('put' in one) buffer.put([square(one.put, one.name)]);
          else buffer.remove([idOf(square(one.remove))]);
        }
        const end = byId(buffer);
        while (buffer.canUndo) buffer.undo();
        expect(byId(buffer)).toEqual(byId(new EditBuffer([a, b], 0)));
        expect(buffer.pending()).toBeNull();
        while (buffer.canRedo) buffer.redo();
        expect(byId(buffer)).toEqual(end);
      }),
    );
  });

  it('makes the server equal to what is here by its delta', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
        const buffer = new EditBuffer([a, b], 0);
        for (const one of edits) {
          if ('put' in one) buffer.put([square(one.put, one.name)]);
          else buffer.remove([idOf(square(one.remove))]);
        }
        const server = new Map([a, b].map((feature) => [idOf(feature), feature]));
        const delta = buffer.pending();
        for (const feature of [...(delta?.added ?? []), ...(delta?.modified ?? [])]) server.set(idOf(feature), feature);
        for (const id of delta?.deleted ?? []) server.delete(id);
        expect(server).toEqual(byId(buffer));
      }),
    );
  });
});

function byId(buffer: EditBuffer): Map<string, Feature> {
  return new Map(buffer.features().map((feature) => [idOf(feature), feature]));
}

describe('what an earlier page did not save', () => {
  const theirs = renamed(a, 'theirs');
  const left = (): ReturnType<EditBuffer['unsaved']> => {
    const buffer = new EditBuffer([a, b], 3);
    buffer.put([renamed(a, 'mine'), c]);
    buffer.remove([idOf(b)]);
    return buffer.unsaved();
  };

  it('is brought back as one step', () => {
    const buffer = new EditBuffer([a, b], 3);
    buffer.restore(left());
    expect(buffer.pending()).toEqual({ added: [c], modified: [renamed(a, 'mine')], deleted: [idOf(b)], revision: 3 });
    buffer.undo();
    expect(buffer.pending()).toBeNull();
  });

  it('is nothing where the save arrived after all', () => {
    expect(new EditBuffer([renamed(a, 'mine'), c], 4).missing(left())).toEqual([]);
  });

  it('is in conflict where somebody else changed the same since', () => {
    const buffer = new EditBuffer([theirs, b], 4);
    buffer.restore(left());
    expect(buffer.conflicts).toEqual([{ id: idOf(a), base: a, mine: renamed(a, 'mine'), theirs }]);
    expect(buffer.unsaved().find(({ id }) => id === idOf(a))).toMatchObject({ after: renamed(a, 'mine') });
  });

  it('stands beside theirs where both are kept of several, which one undo takes back', () => {
    const buffer = new EditBuffer([theirs, renamed(b, 'theirs'), renamed(c, 'theirs')], 4);
    buffer.restore(left());
    let ids = 0;
    buffer.resolve([idOf(a), idOf(b), idOf(c)], 'both', () => `copy ${(ids += 1)}`);
    expect(buffer.features().map(({ properties: { name, unique_id } }) => [name, unique_id])).toEqual([
      ['theirs', idOf(a)],
      ['theirs', idOf(c)],
      ['mine', 'copy 1'],
      ['theirs', idOf(b)],
      ['shape 3', 'copy 2'],
    ]);
    buffer.undo();
    expect(buffer.features().map(({ properties }) => properties.name)).toEqual(['mine', 'shape 3']);
  });

  it('stands beside theirs when both are kept', () => {
    const buffer = new EditBuffer([theirs, b], 4);
    buffer.restore(left());
    buffer.resolve([idOf(a)], 'both', () => '00000000-0000-4000-8000-000000000099');
    expect(buffer.get(idOf(a))).toEqual(theirs);
    expect(buffer.get('00000000-0000-4000-8000-000000000099')?.properties.name).toBe('mine');
    expect(buffer.conflicts).toEqual([]);
  });
});

it('joins as many shapes as a large import has to its step, and drops a step that comes to nothing', () => {
  const buffer = new EditBuffer([], 1);
  const shapes = Array.from({ length: 100_000 }, (_, at) => square(at));
  const from = performance.now();
  buffer.put(shapes.slice(0, 50_000), 'import');
  buffer.put(shapes.slice(50_000), 'import');
  // Takes 0.3 s; a search through the step for each shape takes minutes, on the fastest machine.
  expect(performance.now() - from).toBeLessThan(30_000);
  buffer.undo();
  expect(buffer.features()).toEqual([]);
  buffer.put(shapes.slice(0, 2), 'again');
  buffer.change({ put: [], remove: shapes.slice(0, 2).map(idOf) }, 'again');
  expect(buffer.canUndo).toBe(false);
}, 60_000);

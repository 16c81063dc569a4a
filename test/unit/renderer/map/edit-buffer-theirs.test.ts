import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Feature } from '../../../../server/contract/overlay.ts';
import { EditBuffer, idOf } from '../../../../renderer/map/edit-buffer.ts';
import { atOnce } from '../../../../renderer/map/slices.ts';
import { renamed, square } from './features.ts';

const a = square(1);
const b = square(2);
const c = square(3);

const noId = (): string => {
  throw new Error('nothing is added');
};

/** To its end at once. */
function rebase(buffer: EditBuffer, theirs: Iterable<Feature>, revision: number): string[] | null {
  return atOnce(buffer.rebase(theirs, revision));
}

describe('what came by the server', () => {
  it('is taken back and brought again as what was drawn', () => {
    const buffer = new EditBuffer([a], 3);
    rebase(buffer, [a, b], 4);
    buffer.noteAdded([idOf(b), 'gone']);
    expect(buffer.pending()).toBeNull();
    expect(buffer.undo()).toEqual([idOf(b)]);
    expect(buffer.pending()?.deleted).toEqual([idOf(b)]);
    buffer.redo();
    expect(buffer.pending()).toBeNull();
    expect(buffer.features()).toEqual([a, b]);
  });
});

describe('what changed on the server', () => {
  const ids = fc.nat(6);
  const version = fc.record({ id: ids, name: fc.constantFrom('one', 'two', null) });
  const featureOf = ({ id, name }: { id: number; name: string | null }): Feature | null =>
    name === null ? null : square(id, name);
  const put = (map: Map<string, Feature>, one: { id: number; name: string | null }): void => {
    const feature = featureOf(one);
    if (feature === null) map.delete(idOf(square(one.id)));
    else map.set(idOf(feature), feature);
  };
  const edit = (buffer: EditBuffer, one: { id: number; name: string | null }): void => {
    const feature = featureOf(one);
    if (feature === null) buffer.remove([idOf(square(one.id))]);
    else buffer.put([feature]);
  };
  const seen = (buffer: EditBuffer) => ({
    features: buffer.features(),
    conflicts: buffer.conflicts.toSorted((one, other) => one.id.localeCompare(other.id)),
    pending: buffer.pending(),
    unsaved: buffer.unsaved(),
    steps: [buffer.canUndo, buffer.canRedo, buffer.revision],
  });

  it('leads to the same as reading all of it', () => {
    const round = fc.record({
      mine: fc.array(version, { maxLength: 4 }),
      theirs: fc.array(version, { maxLength: 4 }),
      undo: fc.nat(2),
      resolves: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(version), fc.array(round, { minLength: 1, maxLength: 5 }), (start, rounds) => {
        const server = new Map<string, Feature>();
        for (const one of start) put(server, one);
        const [whole, part] = [new EditBuffer(server.values(), 0), new EditBuffer(server.values(), 0)];
        for (const [at, { mine, theirs, undo, resolves }] of rounds.entries()) {
          const before = new Map(server);
          for (const one of theirs) put(server, one);
          for (const buffer of [whole, part]) {
            for (const one of mine) edit(buffer, one);
            for (let step = 0; step < undo; step += 1) buffer.undo();
          }
          const changed = [...server.values()].filter((one) => before.get(idOf(one)) !== one);
          const deleted = [...before.keys()].filter((id) => !server.has(id));
          const shown = rebase(whole, server.values(), at + 1);
          const followed = part.rebaseChanges({ features: changed, deleted, revision: at + 1 });
          expect(followed.toSorted()).toEqual(shown?.toSorted());
          expect(seen(part)).toEqual(seen(whole));
          for (const { id } of resolves ? whole.conflicts : []) {
            for (const buffer of [whole, part]) buffer.resolve([id], 'theirs', noId);
          }
        }
      }),
    );
  });
});

describe('rebase', () => {
  it('leads to the same when it is edited between its rests', () => {
    const version = fc.record({ id: fc.nat(4), name: fc.constantFrom('one', 'two', null) });
    const deed = fc.oneof(version, fc.constantFrom('undo', 'save', 'pending'));
    const shapes = fc.uniqueArray(version, { selector: ({ id }) => id, maxLength: 5 });
    const featuresOf = (versions: readonly { id: number; name: string | null }[]) =>
      versions.flatMap(({ id, name }) => (name === null ? [] : [square(id, name)]));
    const act = (buffer: EditBuffer, one: { id: number; name: string | null } | string): void => {
      const pending = one === 'save' || one === 'pending' ? buffer.pending() : null;
      if (one === 'save' && pending !== null) buffer.saved(pending, buffer.revision);
      else if (one === 'undo') buffer.undo();
      else if (typeof one === 'object' && one.name === null) buffer.remove([idOf(square(one.id))]);
      else if (typeof one === 'object') buffer.put(featuresOf([one]));
    };
    const seen = (buffer: EditBuffer) => ({
      features: buffer.features().toSorted((one, other) => idOf(one).localeCompare(idOf(other))),
      conflicts: buffer.conflicts.toSorted((one, other) => one.id.localeCompare(other.id)),
      unsaved: buffer.unsaved().toSorted((one, other) => one.id.localeCompare(other.id)),
      steps: [buffer.canUndo, buffer.canRedo, buffer.forgotten, buffer.revision],
    });
    const deeds = fc.array(deed, { maxLength: 4 });
    fc.assert(
      fc.property(shapes, deeds, shapes, fc.array(deeds), (start, before, theirs, between) => {
        const [rested, whole] = [new EditBuffer(featuresOf(start), 0), new EditBuffer(featuresOf(start), 0)];
        for (const one of before) for (const buffer of [rested, whole]) act(buffer, one);
        const work = rested.rebase(featuresOf(theirs), 1);
        for (const step of between) {
          if (work.next().done === true) break; // what is done later is done to the new state
          for (const one of step) for (const buffer of [rested, whole]) act(buffer, one);
        }
        while (work.next().done !== true);
        rebase(whole, featuresOf(theirs), 1);
        expect(seen(rested)).toEqual(seen(whole));
      }),
    );
  });

  it('rests often enough over 100,000 shapes of which a few changed', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => square(at));
    const theirs = many.map((one, at) =>
      at % 10_000 === 0 ? renamed(one, 'theirs') : { ...one, properties: { ...one.properties } },
    );
    const work = new EditBuffer(many, 3).rebase(theirs, 4);
    let [longest, all] = [0, 0];
    for (let isOver = false; !isOver;) {
      const from = performance.now();
      isOver = work.next().done === true;
      const took = performance.now() - from;
      [longest, all] = [Math.max(longest, took), all + took];
    }
    expect(longest).toBeLessThan(all / 4);
  });

  it('takes nothing over where it may not by its end', () => {
    const buffer = new EditBuffer([a], 3);
    let may = true;
    const work = buffer.rebase([renamed(a, 'theirs')], 5, () => may);
    work.next();
    may = false;
    expect([[...work], buffer.get(idOf(a)), buffer.revision]).toEqual([[undefined], a, 3]);
  });

  it('follows what others changed where nothing was changed here', () => {
    const buffer = new EditBuffer([a, b], 3);
    const changed = rebase(buffer, [renamed(a, 'theirs'), c], 5);
    expect(new Set(changed)).toEqual(new Set([idOf(a), idOf(b), idOf(c)]));
    expect(buffer.features()).toEqual([renamed(a, 'theirs'), c]);
    expect(buffer.pending()).toBeNull();
    expect(buffer.revision).toBe(5);
  });

  it('keeps what only was changed here, to be saved on the new revision', () => {
    const buffer = new EditBuffer([a, b], 3);
    buffer.put([renamed(a, 'mine')]);
    rebase(buffer, [a, renamed(b, 'theirs')], 5);
    expect(buffer.pending()).toEqual({ added: [], modified: [renamed(a, 'mine')], deleted: [], revision: 5 });
    expect(buffer.conflicts).toEqual([]);
  });

  it('makes a conflict of what both changed, and sends neither until it is settled', () => {
    const buffer = new EditBuffer([a], 3);
    buffer.put([renamed(a, 'mine')]);
    rebase(buffer, [renamed(a, 'theirs')], 5);
    expect(buffer.conflicts).toEqual([
      { id: idOf(a), base: a, mine: renamed(a, 'mine'), theirs: renamed(a, 'theirs') },
    ]);
    expect(buffer.pending()).toBeNull();
  });

  it('is no conflict when both did the same', () => {
    const buffer = new EditBuffer([a], 3);
    buffer.put([renamed(a, 'same')]);
    rebase(buffer, [renamed(a, 'same')], 5);
    expect(buffer.conflicts).toEqual([]);
    expect(buffer.pending()).toBeNull();
  });

  it('ends the conflict and takes theirs once nothing of mine is left of it', () => {
    const buffer = new EditBuffer([a, b], 3);
    buffer.put([renamed(a, 'mine'), renamed(b, 'mine')]);
    rebase(buffer, [renamed(a, 'theirs'), b], 5);
    expect(buffer.undo()).toEqual([idOf(a), idOf(b)]);
    expect([buffer.features(), buffer.conflicts]).toEqual([[renamed(a, 'theirs'), b], []]);
    expect([buffer.pending(), buffer.unsaved(), buffer.canRedo]).toEqual([null, [], false]);
  });

  it.each(['undo', 'redo'] as const)('ends the conflict once %s makes mine what they have', (way) => {
    const buffer = new EditBuffer([a], 3);
    const names = way === 'undo' ? ['theirs', 'mine'] : ['mine', 'theirs'];
    for (const name of names) buffer.put([renamed(a, name)]);
    if (way === 'redo') buffer.undo();
    rebase(buffer, [renamed(a, 'theirs')], 5);
    expect(buffer.conflicts).toHaveLength(1);
    buffer[way]();
    expect([buffer.features(), buffer.conflicts, buffer.pending()]).toEqual([[renamed(a, 'theirs')], [], null]);
  });

  it('ends the conflict once they took theirs back', () => {
    const buffer = new EditBuffer([a], 3);
    buffer.put([renamed(a, 'mine')]);
    rebase(buffer, [renamed(a, 'theirs')], 5);
    rebase(buffer, [renamed(a, 'later')], 6);
    expect(buffer.conflicts).toMatchObject([{ base: a, theirs: renamed(a, 'later') }]);
    rebase(buffer, [a], 7);
    expect([buffer.conflicts, buffer.pending()?.modified]).toEqual([[], [renamed(a, 'mine')]]);
  });

  it('keeps mine by sending it again', () => {
    const buffer = new EditBuffer([a], 3);
    buffer.put([renamed(a, 'mine')]);
    rebase(buffer, [renamed(a, 'theirs')], 5);
    buffer.resolve([idOf(a)], 'mine', noId);
    expect(buffer.pending()).toMatchObject({ modified: [renamed(a, 'mine')], revision: 5 });
  });

  it('adds mine anew when the other deleted it', () => {
    const buffer = new EditBuffer([a], 3);
    buffer.put([renamed(a, 'mine')]);
    rebase(buffer, [], 5);
    buffer.resolve([idOf(a)], 'mine', noId);
    expect(buffer.pending()).toMatchObject({ added: [renamed(a, 'mine')], modified: [] });
  });

  it('takes theirs in a way that can be undone', () => {
    const buffer = new EditBuffer([a], 3);
    buffer.put([renamed(a, 'mine')]);
    rebase(buffer, [renamed(a, 'theirs')], 5);
    expect(buffer.resolve([idOf(a)], 'theirs', noId)).toEqual([idOf(a)]);
    expect(buffer.pending()).toBeNull();
    buffer.undo();
    expect(buffer.get(idOf(a))).toEqual(renamed(a, 'mine'));
  });

  it('drops a step whole where someone else changed one of its shapes, and what it built on', () => {
    const buffer = new EditBuffer([a, b, c], 3);
    buffer.put([renamed(c, 'mine')]);
    buffer.put([renamed(b, 'mine')]);
    buffer.change({ put: [renamed(a, 'merged')], remove: [idOf(b)] });
    const sent = buffer.pending();
    if (sent !== null) buffer.saved(sent, 4);
    rebase(buffer, [renamed(a, 'theirs'), renamed(c, 'mine')], 5);
    expect(buffer.forgotten).toBe(2);
    expect(buffer.undo()).toEqual([idOf(c)]);
    expect([buffer.features(), buffer.canUndo]).toEqual([[renamed(a, 'theirs'), c], false]);
  });

  it('leaves of a step that only adds, and is added to later, what someone else changed', () => {
    const buffer = new EditBuffer([], 3);
    buffer.put([a, b], 'import');
    const sent = buffer.pending();
    if (sent !== null) buffer.saved(sent, 3);
    rebase(buffer, [renamed(a, 'theirs'), b], 4);
    buffer.put([c], 'import');
    expect([buffer.forgotten, buffer.undo().toSorted()]).toEqual([1, [idOf(b), idOf(c)]]);
    expect([buffer.features(), buffer.canUndo]).toEqual([[renamed(a, 'theirs')], false]);
    expect([buffer.redo().toSorted(), buffer.features()]).toEqual([
      [idOf(b), idOf(c)],
      [renamed(a, 'theirs'), b, c],
    ]);
  });

  it('drops what could be redone in the same way', () => {
    const buffer = new EditBuffer([a, b, c], 3);
    buffer.put([renamed(c, 'mine')]);
    buffer.change({ put: [renamed(a, 'merged')], remove: [idOf(b)] });
    buffer.undo();
    buffer.undo();
    rebase(buffer, [renamed(a, 'theirs'), b, c], 5);
    expect([buffer.redo(), buffer.redo()]).toEqual([[idOf(c)], []]);
    expect([buffer.features(), buffer.forgotten]).toEqual([[renamed(a, 'theirs'), renamed(c, 'mine'), b], 0]);
  });

  it('takes theirs of any number as one step', () => {
    const many = Array.from({ length: 300 }, (_, at): Feature => {
      const { properties, ...rest } = square(1);
      return { ...rest, properties: { ...properties, unique_id: `id ${at}` } };
    });
    const buffer = new EditBuffer(many, 3);
    buffer.put(many.map((one) => renamed(one, 'mine')));
    rebase(
      buffer,
      many.map((one) => renamed(one, 'theirs')),
      5,
    );
    expect(buffer.resolve(many.map(idOf), 'theirs', noId)).toHaveLength(300);
    expect([buffer.conflicts, buffer.pending()]).toEqual([[], null]);
    expect(buffer.undo()).toHaveLength(300);
    expect(buffer.features()).toEqual(many.map((one) => renamed(one, 'mine')));
  });

  it('never undoes what someone else did', () => {
    const buffer = new EditBuffer([a], 3);
    buffer.put([renamed(a, 'mine')]);
    const sent = buffer.pending();
    if (sent !== null) buffer.saved(sent, 4);
    rebase(buffer, [renamed(a, 'theirs')], 5);
    expect(buffer.canUndo).toBe(false);
    expect(buffer.get(idOf(a))).toEqual(renamed(a, 'theirs'));
  });
});

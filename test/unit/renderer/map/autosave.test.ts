import { beforeEach, describe, expect, it } from 'vitest';
import { errorStatus, type ErrorCode } from '../../../../server/contract/errors.ts';
import { mostSaveBytes, type Feature, type SaveResult } from '../../../../server/contract/overlay.ts';
import { ApiError } from '../../../../renderer/client/api-error.ts';
import { Autosave } from '../../../../renderer/map/autosave.ts';
import { portionBytes } from '../../../../renderer/map/portion.ts';
import { EditBuffer, idOf, type Delta } from '../../../../renderer/map/edit-buffer.ts';
import type { SaveState } from '../../../../renderer/map/save-state.ts';
import { square } from './features.ts';

const a = square(1);
const mine = square(1, 'mine');
const theirs = square(1, 'theirs');

function answer(revision: number): SaveResult {
  return {
    map_uuid: a.properties.unique_id,
    revision,
    added: 0,
    modified: 1,
    deleted: 0,
    unchanged: 0,
    features: [],
    warnings: [],
  };
}

function refused(code: ErrorCode | 'network'): ApiError {
  return new ApiError(code, code, code === 'network' ? {} : { status: errorStatus[code] });
}

/** A server that answers what is queued, and a clock that only moves when told. */
class Rig {
  readonly buffer = new EditBuffer([a], 3);
  readonly sent: { delta: Delta; saveId: string }[] = [];
  /** Revisions since which the map was read. */
  readonly reads: (number | null)[] = [];
  readonly signals: AbortSignal[] = [];
  readonly states: SaveState[] = [];
  readonly errors: unknown[] = [];
  readonly replaced: string[] = [];
  answers: (SaveResult | Error | Promise<SaveResult>)[] = [];
  onServer: { features: Feature[]; revision: number } = { features: [a], revision: 3 };
  refused: Feature | undefined;
  /** Why the map cannot be read. */
  unread: Error | undefined;
  planned: { run: () => void; ms: number } | undefined;
  readonly autosave: Autosave;

  constructor() {
    let ids = 0;
    this.autosave = new Autosave(this.buffer, {
      send: async (delta, saveId, signal) => {
        this.sent.push({ delta, saveId });
        this.signals.push(signal);
        const next = this.answers.shift() ?? answer(delta.revision + 1);
        if (next instanceof Error) throw next;
        return next;
      },
      read: async (since) => {
        this.reads.push(since);
        if (this.unread !== undefined) throw this.unread;
        return this.onServer;
      },
      newId: () => `save-${(ids += 1)}`,
      later: (run, ms) => {
        this.planned = { run, ms };
        return () => (this.planned = undefined);
      },
      show: (state, error, refusedShape) => {
        this.states.push(state);
        this.refused = refusedShape;
        this.errors.push(error);
      },
      replaced: (changed) => this.replaced.push(...changed),
    });
  }

  edit(feature: Feature): void {
    this.buffer.put([feature]);
    this.autosave.touched();
  }

  get state(): SaveState | undefined {
    return this.states.at(-1);
  }
}

let rig: Rig;
beforeEach(() => {
  rig = new Rig();
});

describe('Autosave', () => {
  it('waits for a moment of quiet, then saves and says so', async () => {
    rig.edit(mine);
    expect(rig.state).toBe('unsaved');
    expect(rig.sent).toHaveLength(0);
    expect(rig.planned?.ms).toBe(1_200);
    await rig.autosave.flush();
    expect(rig.sent[0]?.delta.modified).toEqual([mine]);
    expect(rig.states).toEqual(['unsaved', 'saving', 'saved']);
    expect(rig.autosave.isUnsaved).toBe(false);
  });

  it('sends the very same save again where the server is silent, and heeds no answer that comes late', async () => {
    const { promise, resolve } = Promise.withResolvers<SaveResult>();
    rig.answers = [promise, new Promise(() => undefined)];
    rig.edit(mine);
    for (const ms of [30_000, 60_000]) {
      const saving = rig.autosave.flush();
      expect(rig.planned?.ms).toBe(ms);
      rig.planned?.run();
      await saving;
      expect([rig.state, rig.autosave.isUnsaved, rig.signals.at(-1)?.aborted]).toEqual(['offline', true, true]);
      expect(rig.planned?.ms).toBe(ms / 15);
    }
    await rig.autosave.flush();
    expect(rig.sent.map(({ saveId }) => saveId)).toEqual(['save-1', 'save-1', 'save-1']);
    expect([rig.state, rig.buffer.revision]).toEqual(['saved', 4]);
    rig.edit(theirs);
    resolve(answer(9));
    await promise;
    await Promise.resolve();
    expect([rig.buffer.revision, rig.buffer.pending()?.modified]).toEqual([4, [theirs]]);
    void rig.autosave.flush();
    expect([rig.planned?.ms, rig.sent.at(-1)?.saveId]).toEqual([30_000, 'save-2']);
  });

  it('sends nothing when there is nothing', async () => {
    await rig.autosave.flush();
    expect(rig.sent).toEqual([]);
    expect(rig.state).toBe('saved');
  });

  it('repeats the very same save with the same id while the server is away', async () => {
    rig.answers = [refused('network'), refused('network')];
    rig.edit(mine);
    await rig.autosave.flush();
    expect(rig.state).toBe('offline');
    expect(rig.planned?.ms).toBe(2_000);
    rig.edit(square(2));
    expect(rig.state).toBe('offline');
    await rig.autosave.flush();
    await rig.autosave.flush();
    expect(rig.sent.map(({ saveId }) => saveId)).toEqual(['save-1', 'save-1', 'save-1']);
    expect(rig.sent[2]?.delta.added).toEqual([]);
    expect(rig.state).toBe('unsaved');
    await rig.autosave.flush();
    expect(rig.sent[3]).toMatchObject({ saveId: 'save-2', delta: { added: [square(2)] } });
    expect(rig.state).toBe('saved');
  });

  it('tells a conflict and sends again once it is settled', async () => {
    rig.answers = [refused('revision_conflict')];
    rig.onServer = { features: [theirs], revision: 7 };
    rig.edit(mine);
    await rig.autosave.flush();
    expect(rig.state).toBe('conflict');
    expect(rig.autosave.isUnsaved).toBe(true);
    rig.buffer.resolve([idOf(a)], 'mine', () => '');
    rig.autosave.touched();
    await rig.autosave.flush();
    expect(rig.sent[1]).toMatchObject({ saveId: 'save-2', delta: { modified: [mine], revision: 7 } });
    expect(rig.state).toBe('saved');
  });

  it('reads what others saved in between', async () => {
    rig.answers = [answer(6)];
    rig.onServer = { features: [mine, square(4)], revision: 6 };
    rig.edit(mine);
    await rig.autosave.flush();
    expect(rig.replaced).toEqual([idOf(square(4))]);
    expect(rig.buffer.get(idOf(square(4)))).toEqual(square(4));
    expect(rig.state).toBe('saved');
  });

  it.each([
    ['a busy database', refused('storage_busy')],
    ['a full disk', refused('storage_failed')],
    ['a fault of the service', refused('internal_error')],
    ['a proxy without its server', new ApiError('unexpected', 'HTTP 502', { status: 502 })],
    ['a page in place of the answer', new ApiError('unexpected', 'no JSON', { status: 200 })],
    ['too many calls', refused('rate_limited')],
  ])('takes %s for no refusal, and repeats the very same save', async (_fault, fault) => {
    rig.answers = [fault];
    rig.edit(mine);
    await rig.autosave.flush();
    expect([rig.state, rig.errors.at(-1), rig.planned?.ms]).toEqual(['delayed', fault, 2_000]);
    rig.edit(square(2));
    expect([rig.state, rig.errors.at(-1)]).toEqual(['delayed', fault]);
    await rig.autosave.flush();
    expect(rig.sent.map(({ saveId }) => saveId)).toEqual(['save-1', 'save-1']);
    await rig.autosave.flush();
    expect(rig.state).toBe('saved');
  });

  it.each([
    ['added[1].geometry.coordinates[0]', {}],
    ['', { unique_id: idOf(square(3)) }],
    ['', { facilities: [{ shape_uuid: idOf(square(3)) }] }],
    ['', { features: [idOf(square(3)), idOf(a)] }],
  ])('names the shape that was refused by %j and %j, also one that was restored', async (path, members) => {
    const errors = path === '' ? [] : [{ path, code: 'invalid_geometry' as const, message: '' }];
    const said = { type: 'about:blank' as const, title: '', status: 400, detail: '', request_id: '' };
    const problem = { ...said, code: 'invalid_geometry' as const, errors, ...members };
    rig.answers = [new ApiError('invalid_geometry', '', { status: 400, problem })];
    const restored = [square(2), square(3)].map((after) => ({ id: idOf(after), before: null, after }));
    rig.buffer.restore(restored);
    await rig.autosave.flush();
    expect([rig.state, rig.refused]).toEqual(['rejected', square(3)]);
    rig.buffer.undo();
    rig.autosave.touched();
    expect([rig.state, rig.refused]).toEqual(['saved', undefined]);
  });

  it('waits for as long as the server asks', async () => {
    rig.answers = [new ApiError('rate_limited', '', { status: 429, retryAfter_s: 20 })];
    rig.edit(mine);
    await rig.autosave.flush();
    expect(rig.planned?.ms).toBe(20_000);
  });

  it('sends what a slow line would be long about in several saves, what is deleted first', async () => {
    const most = portionBytes;
    const named = Array.from({ length: 5 }, (_, at) => square(at + 2, '온'.repeat(Math.floor(most / 9))));
    rig.buffer.put(named);
    rig.buffer.remove([idOf(a)]);
    rig.autosave.touched();
    await rig.autosave.flush();
    expect(rig.sent.map(({ delta }) => [delta.deleted.length, delta.added.length])).toEqual([
      [1, 2],
      [0, 2],
      [0, 1],
    ]);
    for (const { delta } of rig.sent) expect(Buffer.byteLength(JSON.stringify(delta))).toBeLessThan(most);
    expect(new Set(rig.sent.map(({ saveId }) => saveId)).size).toBe(3);
    expect([rig.state, rig.autosave.isUnsaved]).toEqual(['saved', false]);
  });

  it('sends a shape that is too much alone by itself, so that it alone is refused', async () => {
    const huge = square(2, 'x'.repeat(mostSaveBytes));
    rig.answers = [answer(4), refused('payload_too_large')];
    rig.buffer.put([mine, huge]);
    rig.autosave.touched();
    await rig.autosave.flush();
    expect(rig.sent.map(({ delta }) => [delta.modified.length, delta.added.length])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(rig.state).toBe('rejected');
  });

  it('claims no revision that it could not read, so that what others saved meanwhile is merged', async () => {
    const b = square(2);
    rig.answers = [answer(5)];
    rig.unread = refused('network');
    rig.edit(b);
    await rig.autosave.flush();
    expect([rig.state, rig.buffer.revision]).toEqual(['offline', 3]);

    rig.edit(mine);
    rig.answers = [refused('revision_conflict')];
    rig.unread = undefined;
    rig.onServer = { features: [theirs, b], revision: 5 };
    await rig.autosave.flush();
    expect(rig.sent[1]?.delta).toMatchObject({ added: [], modified: [mine], revision: 3 });
    expect(rig.buffer.conflicts).toEqual([{ id: idOf(a), base: a, mine, theirs }]);
  });

  it('reads again what others saved until it is answered, though nothing is left to send', async () => {
    rig.answers = [answer(6)];
    rig.unread = refused('network');
    rig.edit(mine);
    await rig.autosave.flush();
    expect([rig.state, rig.planned?.ms]).toEqual(['offline', 2_000]);
    rig.unread = undefined;
    rig.onServer = { features: [mine, square(4)], revision: 6 };
    await rig.autosave.flush();
    expect(rig.sent).toHaveLength(1);
    expect([rig.state, rig.buffer.revision, rig.buffer.get(idOf(square(4)))]).toEqual(['saved', 6, square(4)]);
  });

  it('reads the whole map where the service has lost a shape that was changed here, and asks what to keep', async () => {
    rig.answers = [refused('not_found')];
    rig.onServer = { features: [square(2)], revision: 1 };
    rig.edit(mine);
    await rig.autosave.flush();
    expect([rig.state, rig.reads]).toEqual(['conflict', [null]]);
    expect(rig.buffer.conflicts).toEqual([{ id: idOf(a), base: a, mine, theirs: null }]);
    rig.buffer.resolve([idOf(a)], 'mine', () => '');
    rig.autosave.touched();
    await rig.autosave.flush();
    expect(rig.sent[1]?.delta).toMatchObject({ added: [mine], modified: [], revision: 1 });
    expect(rig.state).toBe('saved');
  });

  it('takes over what another page has added meanwhile, and sends the rest', async () => {
    const [same, changed] = [square(2), square(3, 'here')];
    rig.answers = [refused('duplicate_feature')];
    rig.onServer = { features: [a, same, square(3, 'there')], revision: 4 };
    rig.buffer.put([same, changed, square(4)]);
    rig.autosave.touched();
    await rig.autosave.flush();
    expect(rig.buffer.conflicts.map(({ id }) => id)).toEqual([idOf(changed)]);
    await rig.autosave.flush();
    expect(rig.sent[1]?.delta).toMatchObject({ added: [square(4)], modified: [], revision: 4 });
  });

  it.each(['not_found', 'duplicate_feature'] as const)('tells %s that reading the map does not mend', async (code) => {
    rig.answers = [refused(code), refused(code), answer(4), refused(code)];
    rig.edit(square(2));
    await rig.autosave.flush();
    await rig.autosave.flush();
    expect([rig.state, rig.reads, rig.sent.length]).toEqual(['rejected', [null], 2]);
    await rig.autosave.flush();
    expect(rig.state).toBe('saved');
    rig.edit(square(3));
    await rig.autosave.flush();
    expect(rig.reads).toEqual([null, null]);
  });

  it.each(['not_found', 'duplicate_feature'] as const)('reads the map after %s until it is read', async (code) => {
    rig.answers = [refused(code), refused(code)];
    rig.unread = refused('network');
    rig.edit(mine);
    await rig.autosave.flush();
    rig.unread = undefined;
    rig.onServer = { features: [theirs], revision: 1 };
    await rig.autosave.flush();
    expect([rig.state, rig.reads]).toEqual(['conflict', [null, null]]);
  });

  it('tells a refusal and tries again only after the next edit', async () => {
    rig.answers = [refused('shape_in_use')];
    rig.buffer.remove([idOf(a)]);
    rig.autosave.touched();
    await rig.autosave.flush();
    expect(rig.state).toBe('rejected');
    rig.buffer.undo();
    rig.autosave.touched();
    expect(rig.state).toBe('saved');
  });

  it('does nothing after its stop', async () => {
    rig.edit(mine);
    rig.autosave.stop();
    expect(rig.planned).toBeUndefined();
    await rig.autosave.flush();
    expect(rig.sent).toEqual([]);
  });
});

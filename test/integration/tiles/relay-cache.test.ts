import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RelayCache } from '../../../server/tiles/relay-cache.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'orangery-relay-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function open(options: { file?: string; budgetBytes?: number; clock?: { now: number } } = {}) {
  const { file = join(folder(), 'cache.db'), clock = { now: 0 }, ...others } = options;
  const cache = new RelayCache({ file, now: () => clock.now, ...others });
  onTestFinished(() => cache.close());
  return { cache, file, clock };
}

const of = (length: number) => ({ body: Buffer.alloc(length, 7), type: 'image/png' });

describe('what a provider answered', () => {
  it('is there again after a restart', () => {
    const { cache, file } = open();
    const { etag } = cache.put('a', of(10), 1_000);
    cache.close();
    expect(open({ file }).cache.get('a')).toEqual({ ...of(10), etag, stored_at_ms: 0 });
  });

  it('is kept as long as it may be', () => {
    const { cache, clock } = open();
    cache.put('a', of(10), 1_000);
    cache.put('never', of(10), 0);
    clock.now = 999;
    expect([cache.get('a')?.stored_at_ms, cache.get('never')]).toEqual([0, undefined]);
    clock.now = 1_000;
    expect([cache.get('a'), cache.bytes]).toEqual([undefined, 10]);
    cache.put('b', of(5), 1_000);
    expect(cache.bytes).toBe(5);
  });

  it('has another tag when it is another answer', () => {
    const { cache } = open();
    const tags = [of(10), of(10), of(11)].map((answer) => cache.put('a', answer, 1_000).etag);
    expect(tags[0]).toBe(tags[1]);
    expect(tags[0]).not.toBe(tags[2]);
    expect(cache.bytes).toBe(11);
  });

  it('gives way where the budget is used up, the one that was used longest ago first', () => {
    const { cache, clock } = open({ budgetBytes: 30_000 });
    const hour = 3_600_000;
    for (let index = 0; index < 300; index += 1) {
      clock.now = index;
      cache.put(`${index}`, of(100), 1e12);
    }
    clock.now = 2 * hour;
    expect(cache.get('0')).toBeDefined();
    cache.put('one more', of(100), 1e12);
    expect(cache.bytes).toBeLessThanOrEqual(30_000);
    expect([cache.get('0'), cache.get('1'), cache.get('299')].map((kept) => kept !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('begins anew in a file that is damaged or of another version', () => {
    const [damaged, other] = [join(folder(), 'cache.db'), join(folder(), 'cache.db')];
    writeFileSync(damaged, 'this is no database, '.repeat(500));
    const later = new Sqlite(other);
    later.pragma('user_version = 9');
    later.close();
    for (const file of [damaged, other]) {
      const { cache } = open({ file });
      cache.put('a', of(1), 1_000);
      cache.close();
      expect(open({ file }).cache.get('a')).toBeDefined();
    }
  });

  it('is in memory where there is no place on the disk', () => {
    const { cache } = open({ file: join(folder(), 'not there', 'cache.db') });
    cache.put('a', of(1), 1_000);
    expect(cache.get('a')).toBeDefined();
  });
});

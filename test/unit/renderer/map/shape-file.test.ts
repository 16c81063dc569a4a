import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readShapeFile } from '../../../../renderer/map/shape-file.ts';
import { FileThread } from './file-thread.ts';

beforeEach(() => {
  FileThread.all.length = 0;
  vi.stubGlobal('Worker', FileThread);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const rows = Array.from({ length: 7 }, (_, at) => `Well ${at},${at === 3 ? 'north' : 37},127`);
const wells = new File([['name,lat,lng', ...rows].join('\n')], 'wells.csv');

function read(file: File) {
  const calling = new AbortController();
  const progress: (readonly [number, number])[] = [];
  const found = readShapeFile(
    { file, language: 'en' },
    { signal: calling.signal, progress: (...at) => progress.push(at) },
  );
  return { calling, progress, found };
}

/** Each look at the clock is 5 ms after the last. */
function slowClock(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 5));
}

it('has all shapes of a file that came in portions, in their order, and its progress', async () => {
  slowClock();
  const { found, progress } = read(wells);
  const { shapes, skipped } = await found;
  expect(shapes.map(({ name }) => name)).toEqual([0, 1, 2, 4, 5, 6].map((at) => `Well ${at}`));
  expect([skipped.length, progress]).toEqual([1, [[1, 7], [3, 7], [5, 7]]]); // prettier-ignore
  expect(FileThread.all.map(({ isEnded }) => isEnded)).toEqual([true]);
});

it('passes on the fault of a file, and that it cannot be read', async () => {
  const other = { type: 'FeatureCollection', features: [], crs: { properties: { name: 'EPSG:5186' } } };
  const { found } = read(new File([JSON.stringify(other)], 'a.json'));
  await expect(found).rejects.toMatchObject({ fault: 'otherCrs', crs: 'EPSG:5186' });
  vi.spyOn(File.prototype, 'arrayBuffer').mockRejectedValue(new DOMException('it is a folder', 'NotFoundError'));
  await expect(read(wells).found).rejects.toMatchObject({ fault: 'unreadable' });
});

it('says that a file cannot be read where its thread ends by an error', async () => {
  const { found } = read(wells);
  FileThread.all[0]?.dispatchEvent(new Event('error'));
  await expect(found).rejects.toMatchObject({ fault: 'unreadable' });
});

it('ends the thread when it is called off, and starts none when it was called off before', async () => {
  slowClock();
  const { found, calling, progress } = read(wells);
  calling.abort();
  await expect(found).rejects.toMatchObject({ name: 'AbortError' });
  expect([progress, FileThread.all[0]?.isEnded]).toEqual([[], true]);
  const { signal } = calling;
  const again = readShapeFile({ file: wells, language: 'en' }, { signal, progress: () => undefined });
  await expect(again).rejects.toMatchObject({ name: 'AbortError' });
  expect(FileThread.all).toHaveLength(1);
});

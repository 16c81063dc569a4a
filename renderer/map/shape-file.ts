import type { FileAnswer, FileAsked } from './file-portions.ts';
import { FileFault } from './file-fault.ts';
import type { FoundShapes } from './geojson.ts';

/** How the names of files end that can be read. */
export const shapeFileEndings = [
  '.geojson',
  '.json',
  '.kml',
  '.kmz',
  '.gpx',
  '.csv',
  '.tsv',
  '.txt',
  '.zip',
  '.gpkg',
] as const;

/** Whether the service reads it: Shapefiles in a ZIP, and GeoPackages. */
export function isServiceFile(name: string): boolean {
  return /\.(?:zip|gpkg)$/i.test(name);
}

interface Reading {
  signal: AbortSignal;
  /** So many of the entries of a long file are read. */
  progress: (looked: number, of: number) => void;
}

/**
 * The shapes of any other file, which a thread reads: a large one would stop the page for seconds. Throws FileFault,
 * and an AbortError where it was called off.
 */
export async function readShapeFile(asked: FileAsked, { signal, progress }: Reading): Promise<FoundShapes> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<FoundShapes>();
  const worker = new Worker(new URL('./file-worker.ts', import.meta.url), { type: 'module' });
  const found: FoundShapes = { shapes: [], skipped: [] };
  worker.addEventListener('message', ({ data }: MessageEvent<FileAnswer>) => {
    if ('fault' in data) return reject(new FileFault(data.fault, data.crs));
    found.shapes.push(...data.shapes);
    found.skipped.push(...data.skipped);
    if (data.isLast) resolve(found);
    else progress(data.looked, data.of);
  });
  // The browser has written to its console why.
  worker.addEventListener('error', () => reject(new FileFault('unreadable')));
  const callOff = (): void => reject(new DOMException('reading was called off', 'AbortError'));
  signal.addEventListener('abort', callOff);
  worker.postMessage(asked);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', callOff);
    worker.terminate();
  }
}

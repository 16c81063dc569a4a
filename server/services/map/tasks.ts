import { initDesign, saveDesign, trashMap, untrashMap } from './design-save.ts';
import { purgeMaps } from './purge.ts';
import { readAllOverlays, readChanges, readDesign, readOverlays, readRevision } from './read.ts';
import { restoreRevision } from './restore.ts';
import { saveDelta, saveFull } from './save.ts';
import { readSketch } from './sketch.ts';
import { saveDeltaBytes, saveFullBytes } from './save-bytes.ts';
import { tidyMaps } from './staged.ts';

/** Tasks that run on the server's own thread as well as in the map worker: plain data in, plain data out. */
export const mapTasks = {
  saveFull,
  saveDelta,
  saveFullBytes,
  saveDeltaBytes,
  restoreRevision,
  initDesign,
  saveDesign,
  trashMap,
  untrashMap,
  readOverlays,
  readAllOverlays,
  readChanges,
  readDesign,
  readSketch,
  readRevision,
  purgeMaps,
  tidyMaps,
};

/** The tasks that return JSON; all others write. */
export type MapRead = 'readOverlays' | 'readAllOverlays' | 'readChanges' | 'readDesign' | 'readSketch' | 'readRevision';
export type MapWrite = Exclude<keyof typeof mapTasks, MapRead>;

export type MapTasks = typeof mapTasks;

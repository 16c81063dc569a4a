import { join } from 'node:path';
import { distIsUpToDate } from '../../build/up-to-date.ts';

const root = join(import.meta.dirname, '../..');
const isBuilt = distIsUpToDate();

/** As they are shipped where `dist/` is built from what is here, else their sources, which take twice as long to start. */
export const serviceProgram = join(root, isBuilt ? 'dist/main/main.js' : 'server/main.ts');
export const daemonProgram = join(root, isBuilt ? 'dist/main/daemon.js' : 'server/daemon/main.ts');

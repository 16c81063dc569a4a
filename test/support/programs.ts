import { join } from 'node:path';
import { distIsUpToDate } from '../../build/up-to-date.ts';

const root = join(import.meta.dirname, '../..');
const isBuilt = distIsUpToDate();

/** As they ship if `dist/` is up to date, else their sources, which take twice as long to start. */
export const serviceProgram = join(root, isBuilt ? 'dist/main/main.js' : 'server/main.ts');
export const daemonProgram = join(root, isBuilt ? 'dist/main/daemon.js' : 'server/daemon/main.ts');

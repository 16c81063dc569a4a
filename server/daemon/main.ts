import { systemClock } from './clock.ts';
import { runDaemon } from './process.ts';

runDaemon(systemClock);

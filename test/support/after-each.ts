import { afterEach } from 'vitest';
import { cleanUp } from './cleanup.ts';

// Runs again for each file, because imported modules may be cached from the file before.
afterEach(cleanUp);

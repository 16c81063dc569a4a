import { afterEach } from 'vitest';
import { cleanUp } from './cleanup.ts';

// Run anew for each file, where what it imports may be there from the file before.
afterEach(cleanUp);

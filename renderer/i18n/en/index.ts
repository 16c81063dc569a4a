import { first } from './first.ts';
import { later } from './later.ts';

/** The language that defines which messages there are; the others are checked against its type. */
export const en = { ...first, ...later };

import type { first } from './en/first.ts';
import type { en } from './en/index.ts';
import type { later } from './en/later.ts';

type Translated<Source> = { [K in keyof Source]: Source[K] extends string ? string : Translated<Source[K]> };

/** Every language has exactly the keys of English: a missing or surplus one is a type error. */
export type Messages = Translated<typeof en>;
export type FirstMessages = Translated<typeof first>;
export type LaterMessages = Translated<typeof later>;

type PathOf<Source> = {
  [K in keyof Source & string]: Source[K] extends string ? K : `${K}.${PathOf<Source[K]>}`;
}[keyof Source & string];

/** Dotted path of a message, e.g. `ui.cancel`. */
export type MessageKey = PathOf<Messages>;

import type { Actor } from '../../auth/actor.ts';
import type { SiteEntryKind } from '../../contract/site-file.ts';
import type { Renamed } from '../device/moved-ids.ts';

/** One entry of a file, of any kind. */
export interface SiteEntry {
  kind: SiteEntryKind;
  name: string;
  id: string;
  content: Record<string, unknown>;
}

export interface Taking {
  actor: Actor;
  isDry: boolean;
  renamed: Renamed;
  /** The file's id if it may be kept, else undefined. */
  idFor: (id: string) => string | undefined;
}

interface Taken {
  /** null in a dry run. */
  unique_id: string | null;
  without: string[];
}

/** How one kind of entry goes into a site. */
export interface SitePart {
  /** Ids by which other entries refer to it. */
  provides: (entry: SiteEntry) => string[];
  mentions: (entry: SiteEntry) => string[];
  /** What is here under that id, in the file's form; `in_trash` when it was deleted, undefined when there is none. */
  present: (id: string) => Promise<object | 'in_trash' | undefined>;
  /** Throws a Refusal. */
  take: (entry: SiteEntry, taking: Taking) => Promise<Taken>;
}

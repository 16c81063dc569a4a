import type { Actor } from '../../auth/actor.ts';
import type { SiteEntryKind } from '../../contract/site-file.ts';
import type { Renamed } from '../device/moved-ids.ts';

/** One thing of a file, whatever its kind. */
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
  /** That of the file where it may be kept, else undefined. */
  idFor: (id: string) => string | undefined;
}

interface Taken {
  /** null in a dry run. */
  unique_id: string | null;
  without: string[];
}

/** How one kind of entry goes into a site. */
export interface SitePart {
  /** Ids by which others of the file name it. */
  provides: (entry: SiteEntry) => string[];
  mentions: (entry: SiteEntry) => string[];
  /** What is here under that id, as a file would have it; `in_trash` where it was deleted, undefined where there is none. */
  present: (id: string) => Promise<object | 'in_trash' | undefined>;
  /** Throws a Refusal. */
  take: (entry: SiteEntry, taking: Taking) => Promise<Taken>;
}

import type { ComputedRef } from 'vue';
import type { RouteRecordRaw } from 'vue-router';
import type { Permission } from '../../server/contract/permission.ts';
import type { MessageKey } from '../i18n/index.ts';

declare module 'vue-router' {
  interface RouteMeta {
    /** Available without a session (setup and login); shown without the shell. */
    isPublic?: boolean;
    /** Part of the window's title. */
    title?: MessageKey;
    /** All its texts are among the first messages (`i18n/en/first.ts`), so it need not wait for the rest. */
    hasFirstWords?: boolean;
    /** The page fills the work area and scrolls by itself. */
    isFullWindow?: boolean;
  }
}

export interface NavigationItem {
  /** Path of the page, also the prefix by which its item is marked as current. */
  to: string;
  title: MessageKey;
  /** Path data from @mdi/js. */
  icon: string;
  /** Position in the rail, ascending. */
  order: number;
  /** Hidden without this permission; for a list, hidden without every one of them. */
  permission?: Permission | readonly Permission[];
  /** Composable, called once in the rail's setup; returns the badge of the item. */
  useBadge?: () => ComputedRef<NavigationBadge | null>;
}

interface NavigationBadge {
  count: number;
  /** For screen readers, e.g. "3 alarms need attention". */
  text: string;
  isUrgent: boolean;
}

/**
 * What the palette finds that is the same on every site: a screen that the rail does not list, or what is done on one.
 */
export interface Action {
  title: MessageKey;
  icon: string;
  /** Not found without it. */
  permission?: Permission;
  /** The page, with `?ask=` and what it does or asks when it opens (`useAsked`). */
  to: string;
}

/** One line of the command palette. */
export interface PaletteCommand {
  id: string;
  title: string;
  /** A word for its type, e.g. "Map", with its house where another has the same title. */
  hint: string;
  /** Something of this site, such as a house or device, which people look for more often than for a page. */
  isOfSite?: boolean;
  icon: string;
  run: () => void | Promise<unknown>;
}

/** An identifier from a page's address, in the spelling of the answers. */
export function idOf(param: string | string[] | undefined): string | undefined {
  return typeof param === 'string' && param !== '' ? param.toLowerCase() : undefined;
}

/** What a folder of `features/` contributes to the application: listed in `features`. */
export interface Feature {
  routes: RouteRecordRaw[];
  navigation?: NavigationItem[];
  /**
   * Composable, called once in the palette's setup; its commands are found beside the pages. `onOpen` takes what reads
   * their names whenever the palette opens; where that fails, all else is still found.
   */
  useCommands?: (onOpen: (read: () => Promise<unknown>) => void) => ComputedRef<PaletteCommand[]>;
}

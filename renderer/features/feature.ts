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
  /** Path of the screen, also the prefix by which the item is marked as the present one. */
  to: string;
  title: MessageKey;
  /** Path data of @mdi/js. */
  icon: string;
  /** Place in the rail, ascending. */
  order: number;
  /** Hidden without it; of a list, without every one of them. */
  permission?: Permission | readonly Permission[];
  /** Composable, called once in the rail's setup: what waits there, shown as a badge. */
  useBadge?: () => ComputedRef<NavigationBadge | null>;
}

interface NavigationBadge {
  count: number;
  /** For screen readers, e.g. "3 alarms need somebody". */
  text: string;
  isUrgent: boolean;
}

/** One line of the command palette. */
export interface PaletteCommand {
  id: string;
  title: string;
  /** A word on what it is, e.g. "Map". */
  hint: string;
  icon: string;
  run: () => void | Promise<unknown>;
}

/** An identifier in the address of a page, as answers spell it. */
export function idOf(param: string | string[] | undefined): string | undefined {
  return typeof param === 'string' && param !== '' ? param.toLowerCase() : undefined;
}

/** What a folder of `features/` gives to the application: listed in `features`. */
export interface Feature {
  routes: RouteRecordRaw[];
  navigation?: NavigationItem[];
  /** Composable, called once in the palette's setup; its commands are found beside the screens. */
  useCommands?: () => ComputedRef<PaletteCommand[]>;
}

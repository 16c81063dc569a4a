import type { InjectionKey } from 'vue';
import type { Widget } from '../../../server/contract/dashboard.ts';
import type { Houses } from '../house/use-houses.ts';

export type WidgetKind = Widget['kind'];
export type WidgetOf<Kind extends WidgetKind> = Extract<Widget, { kind: Kind }>;

/** The reading of houses and maps, by the page for all its widgets. */
export const readingKey: InjectionKey<Pick<Houses, 'isRead' | 'error'>> = Symbol('houses and maps');

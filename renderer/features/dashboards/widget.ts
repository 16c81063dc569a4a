import type { Widget } from '../../../server/contract/dashboard.ts';

export type WidgetKind = Widget['kind'];
export type WidgetOf<Kind extends WidgetKind> = Extract<Widget, { kind: Kind }>;

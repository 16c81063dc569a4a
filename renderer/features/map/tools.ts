import {
  mdiContentSave,
  mdiCircleOutline,
  mdiCursorDefaultOutline,
  mdiFitToPageOutline,
  mdiHistory,
  mdiKeyboardOutline,
  mdiMapMarkerPlusOutline,
  mdiRectangleOutline,
  mdiRedo,
  mdiRuler,
  mdiSelectDrag,
  mdiTrashCanOutline,
  mdiUndo,
  mdiVectorPolygon,
  mdiVectorPolyline,
  mdiVectorSquareEdit,
} from '@mdi/js';
import type { MessageKey } from '../../i18n/index.ts';
import type { DrawTool } from '../../map/drawing-port.ts';
import { shapeActions, shapeTool, type ShapeAction } from './shape-tools/list.ts';

/** `area` selects by rectangle; `shape` is one of the tools for the selection. */
export type Tool = 'select' | 'area' | 'shape' | DrawTool | 'edit';
export type MapAction =
  | Exclude<Tool, 'shape'>
  | ShapeAction
  | 'selectAll'
  | 'delete'
  | 'undo'
  | 'redo'
  | 'save'
  | 'help'
  | 'fit'
  | 'history'
  | 'cancel';

export interface ToolDescription {
  action: MapAction;
  title: MessageKey;
  icon: string;
  /** How the key is written in hints and in the list of shortcuts. */
  shortcut: string;
  changesMap: boolean;
}

/** Tools in the order of the bar; null begins a new group. */
export const toolBar: readonly (ToolDescription | null)[] = [
  { action: 'select', title: 'map.tools.select', icon: mdiCursorDefaultOutline, shortcut: 'Esc', changesMap: false },
  { action: 'area', title: 'map.tools.area', icon: mdiSelectDrag, shortcut: 'V', changesMap: false },
  { action: 'polygon', title: 'map.tools.polygon', icon: mdiVectorPolygon, shortcut: 'P', changesMap: true },
  { action: 'rectangle', title: 'map.tools.rectangle', icon: mdiRectangleOutline, shortcut: 'R', changesMap: true },
  { action: 'circle', title: 'map.tools.circle', icon: mdiCircleOutline, shortcut: 'C', changesMap: true },
  { action: 'line', title: 'map.tools.line', icon: mdiVectorPolyline, shortcut: 'L', changesMap: true },
  { action: 'marker', title: 'map.tools.marker', icon: mdiMapMarkerPlusOutline, shortcut: 'M', changesMap: true },
  { action: 'edit', title: 'map.tools.edit', icon: mdiVectorSquareEdit, shortcut: 'E', changesMap: true },
  { action: 'delete', title: 'map.tools.delete', icon: mdiTrashCanOutline, shortcut: 'Del', changesMap: true },
  null,
  { action: 'undo', title: 'map.tools.undo', icon: mdiUndo, shortcut: 'Ctrl+Z', changesMap: true },
  { action: 'redo', title: 'map.tools.redo', icon: mdiRedo, shortcut: 'Ctrl+Y', changesMap: true },
  { action: 'save', title: 'map.tools.save', icon: mdiContentSave, shortcut: 'Ctrl+S', changesMap: true },
  null,
  { action: 'measure', title: 'map.tools.measure', icon: mdiRuler, shortcut: 'D', changesMap: false },
  { action: 'fit', title: 'map.tools.fit', icon: mdiFitToPageOutline, shortcut: 'F', changesMap: false },
  { action: 'history', title: 'map.history.title', icon: mdiHistory, shortcut: 'H', changesMap: false },
  { action: 'help', title: 'map.tools.help', icon: mdiKeyboardOutline, shortcut: '?', changesMap: false },
];

/** Tools for the selection, shown beside its properties. */
export const shapeToolBar: readonly (ToolDescription & { action: ShapeAction })[] = shapeActions.map((action) => {
  const { title, icon, shortcut } = shapeTool(action);
  return { action, title, icon, shortcut, changesMap: true };
});

const plainKeys: Record<string, MapAction> = {
  ...Object.fromEntries(shapeToolBar.map(({ shortcut, action }) => [shortcut.toLowerCase(), action])),
  v: 'area',
  p: 'polygon',
  r: 'rectangle',
  c: 'circle',
  l: 'line',
  m: 'marker',
  d: 'measure',
  e: 'edit',
  f: 'fit',
  h: 'history',
  delete: 'delete',
  '?': 'help',
  escape: 'cancel',
};
const controlKeys: Record<string, MapAction> = { z: 'undo', y: 'redo', s: 'save', a: 'selectAll' };

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** What a key is called in lower case: by its Latin letter too while the keyboard writes Hangul or kana. */
export function nameOfKey({ key, code }: Pick<Key, 'key' | 'code'>): string {
  const latin = /^Key([A-Z])$/.exec(code)?.[1];
  const isOther = key > '\u007f' || key === 'Process'; // the latter while an input method is at work
  return (isOther ? (latin ?? key) : key).toLowerCase();
}

/** Whether a shortcut is one character alone. */
export function isLetterKey(shortcut: string): boolean {
  return shortcut.length === 1;
}

/** The action of a key press, undefined where it means nothing to the map. */
export function actionOfKey(pressed: Key, hasLetterKeys: boolean): MapAction | undefined {
  const key = nameOfKey(pressed);
  if (pressed.altKey) return undefined;
  if (pressed.ctrlKey || pressed.metaKey) return key === 'z' && pressed.shiftKey ? 'redo' : controlKeys[key];
  return hasLetterKeys || !isLetterKey(key) ? plainKeys[key] : undefined;
}

/** Whether what a key does changes the map. */
export function changesMap(action: MapAction): boolean {
  return [...toolBar, ...shapeToolBar].some((one) => one?.action === action && one.changesMap);
}

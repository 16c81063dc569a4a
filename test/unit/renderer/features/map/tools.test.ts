import { describe, expect, it } from 'vitest';
import { actionOfKey, shapeToolBar, toolBar } from '../../../../../renderer/features/map/tools.ts';

const plain = { code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

describe('actionOfKey', () => {
  it.each([
    [{ ...plain, key: 'p' }, 'polygon'],
    [{ ...plain, key: 'P', shiftKey: true }, 'polygon'],
    [{ ...plain, key: 'Delete' }, 'delete'],
    [{ ...plain, key: 'Escape' }, 'cancel'],
    [{ ...plain, key: '?', shiftKey: true }, 'help'],
    [{ ...plain, key: 'z', ctrlKey: true }, 'undo'],
    [{ ...plain, key: 'z', metaKey: true }, 'undo'],
    [{ ...plain, key: 'Z', ctrlKey: true, shiftKey: true }, 'redo'],
    [{ ...plain, key: 'y', ctrlKey: true }, 'redo'],
    [{ ...plain, key: 's', ctrlKey: true }, 'save'],
    [{ ...plain, key: 'p', ctrlKey: true }, undefined],
    [{ ...plain, key: 'e', altKey: true }, undefined],
    [{ ...plain, key: 'y' }, undefined],
    // A keyboard that writes Hangul, with and without an input method at work; then a French one.
    [{ ...plain, key: 'ㅔ', code: 'KeyP' }, 'polygon'],
    [{ ...plain, key: 'Process', code: 'KeyP' }, 'polygon'],
    [{ ...plain, key: 'ㅋ', code: 'KeyZ', ctrlKey: true }, 'undo'],
    [{ ...plain, key: ',', code: 'KeyM' }, undefined],
  ])('%j', (pressed, action) => {
    expect(actionOfKey(pressed, true)).toBe(action);
  });

  it('has no keys of one letter where they are off', () => {
    const pressed = ['p', '?', 'Delete', 'Escape'].map((key) => actionOfKey({ ...plain, key }, false));
    expect(pressed).toEqual([undefined, undefined, 'delete', 'cancel']);
    expect(actionOfKey({ ...plain, key: 'z', ctrlKey: true }, false)).toBe('undo');
  });

  it('does what the bar says of each key', () => {
    for (const tool of [...toolBar, ...shapeToolBar]) {
      if (tool === null || tool.action === 'select') continue;
      const control = tool.shortcut.startsWith('Ctrl+');
      const key = tool.shortcut.replace('Ctrl+', '').replace('Del', 'Delete');
      expect(actionOfKey({ ...plain, key, ctrlKey: control }, true)).toBe(tool.action);
    }
  });

  it('has one meaning for each key', () => {
    const keys = [...toolBar, ...shapeToolBar].flatMap((tool) => (tool === null ? [] : [tool.shortcut]));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

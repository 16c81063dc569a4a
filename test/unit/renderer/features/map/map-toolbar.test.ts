// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { nextTick } from 'vue';
import MapToolbar from '../../../../../renderer/features/map/MapToolbar.vue';
import { usePreference } from '../../../../../renderer/stores/preference.ts';
import { mounted } from '../../ui/mounted.ts';

it('names no key of one letter where they are off', async () => {
  const none = { hasSelection: false, hasOne: false, canUndo: false, canRedo: false };
  const bar = mounted(MapToolbar, { props: { tool: 'select', isReadOnly: false, ...none } });
  const titles = (): (string | undefined)[] =>
    ['polygon', 'undo'].map((action) => bar.get(`[data-action=${action}]`).attributes('title'));
  expect(titles()).toEqual(['Draw outline (P)', 'Undo (Ctrl+Z)']);
  usePreference().hasLetterKeys = false;
  await nextTick();
  expect(titles()).toEqual(['Draw outline', 'Undo (Ctrl+Z)']);
  expect(bar.get('[data-action=polygon]').attributes('aria-keyshortcuts')).toBeUndefined();
});

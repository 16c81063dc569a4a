// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { nextTick, shallowRef } from 'vue';
import FormDialog from '../../../../renderer/ui/FormDialog.vue';
import { mounted } from './mounted.ts';

// Dialogs measure it, and happy-dom has none.
vi.stubGlobal('visualViewport', Object.assign(new EventTarget(), { width: 1280, height: 800 }));

async function openForm(given: { isDone?: boolean } = {}) {
  const submission = { isBusy: shallowRef(false), error: shallowRef<unknown>(null) };
  const dialog = mounted(FormDialog, { props: { modelValue: false, title: 'New role', submission, ...given } });
  await dialog.setProps({ modelValue: true });
  const layer = dialog.getComponent({ name: 'VDialog' });
  const raise = async (event: Event): Promise<void> => {
    layer.findComponent({ name: 'VCard' }).get('form').element.dispatchEvent(event);
    await nextTick();
  };
  return { dialog, raise, isKept: () => layer.props('persistent') === true };
}

it.each([
  ['typing', new Event('input', { bubbles: true })],
  ['a press on a list', new Event('pointerdown', { bubbles: true })],
  ['a choice by the keys', new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true })],
])('is closed by its buttons alone after %s', async (_, event) => {
  const { dialog, raise, isKept } = await openForm();
  expect(isKept()).toBe(false);
  await raise(event);
  expect(isKept()).toBe(true);
  await dialog.setProps({ modelValue: false });
  await dialog.setProps({ modelValue: true });
  expect(isKept()).toBe(false);
});

it('still goes by Escape where one only went through its fields, or all is done', async () => {
  const passed = await openForm();
  for (const key of ['Tab', 'Escape']) await passed.raise(new KeyboardEvent('keydown', { key, bubbles: true }));
  expect(passed.isKept()).toBe(false);
  const done = await openForm({ isDone: true });
  await done.raise(new Event('input', { bubbles: true }));
  expect(done.isKept()).toBe(false);
});

// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { h, nextTick, shallowRef, type VNode } from 'vue';
import { VTextField } from 'vuetify/components';
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

it('shows what keeps it from being saved: the first field with a fault, else the refusal', async () => {
  const submission = { isBusy: shallowRef(false), error: shallowRef<unknown>(null) };
  const isFaulty = shallowRef(false);
  const fields = (): VNode[] => [
    h(VTextField, { label: 'Name' }),
    h(VTextField, { label: 'Sensor', error: isFaulty.value }),
    h(VTextField, { label: 'Actuator', error: isFaulty.value }),
  ];
  const shown: Element[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(this);
  });
  const isOpen = shallowRef(false);
  const host = (): VNode => h(FormDialog, { modelValue: isOpen.value, title: 'New PID', submission }, fields);
  const dialog = mounted(host, {});
  isOpen.value = true;
  await nextTick();
  const form = dialog.getComponent({ name: 'VCard' }).get('form').element;
  const submit = async (): Promise<void> => {
    form.dispatchEvent(new Event('submit'));
    await nextTick();
  };
  await submit();
  expect(shown).toEqual([]);
  isFaulty.value = true;
  await submit();
  expect(shown).toEqual([document.activeElement]);
  expect(document.activeElement?.closest('.v-input')?.textContent).toContain('Sensor');
  isFaulty.value = false;
  submission.error.value = new Error('refused');
  await nextTick();
  await nextTick();
  expect(shown.at(-1)?.getAttribute('role')).toBe('alert');
});

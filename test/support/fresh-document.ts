import { disableAutoUnmount, enableAutoUnmount } from '@vue/test-utils';
import { disposePinia, getActivePinia, setActivePinia } from 'pinia';
import { afterAll, afterEach, vi } from 'vitest';
import { noticeRoom } from '../../renderer/ui/notice-room.ts';

// Runs again for each file, because the files of a worker share its modules and its document.
disableAutoUnmount();
enableAutoUnmount(afterEach);

// A store that goes on by a timer would make its own stores the active ones of a later test.
afterEach(() => {
  const pinia = getActivePinia();
  if (pinia !== undefined) disposePinia(pinia);
  setActivePinia(undefined);
  noticeRoom.value = null;
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  if (typeof document === 'undefined') return;
  document.head.replaceChildren();
  document.body.replaceChildren();
  for (const { name } of [...document.documentElement.attributes]) document.documentElement.removeAttribute(name);
  localStorage.clear();
  sessionStorage.clear();
});

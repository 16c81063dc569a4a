// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { useNotice } from '../../../../renderer/stores/notice.ts';
import NoticeBar from '../../../../renderer/ui/NoticeBar.vue';
import { noticeRoom } from '../../../../renderer/ui/notice-room.ts';
import { mounted } from './mounted.ts';

vi.stubGlobal('visualViewport', Object.assign(new EventTarget(), { width: 1280, height: 800 }));

afterEach(() => {
  noticeRoom.value = null;
});

it('shows a message in the room of the bar, and in the page where the bar has none left', async () => {
  const room = document.createElement('div');
  room.getBoundingClientRect = () => new DOMRect(76, 0, 700, 56);
  noticeRoom.value = room;
  mounted(NoticeBar, {});
  useNotice().done('Saved.');
  const shown = (): HTMLElement | null => document.querySelector('.notice-bar');
  await expect.poll(() => shown()?.style.left).toBe('76px');
  expect(shown()?.style).toMatchObject({ top: '0px', width: '700px', height: '56px' });
  noticeRoom.value = null; // a banner has taken it
  await nextTick();
  await expect.poll(() => shown()?.style.width).toBe('');
  expect(shown()?.textContent).toContain('Saved.');
});

// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { useNotice } from '../../../../renderer/stores/notice.ts';
import NoticeBar from '../../../../renderer/ui/NoticeBar.vue';
import { noticeRoom } from '../../../../renderer/ui/notice-room.ts';
import { mounted } from './mounted.ts';

vi.stubGlobal('visualViewport', Object.assign(new EventTarget(), { width: 1280, height: 800 }));

afterEach(() => document.querySelector('#content')?.remove());

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

it('is in the page where the bar has less room than a few words and a button need', async () => {
  const room = document.createElement('div');
  room.getBoundingClientRect = () => new DOMRect(76, 0, 110, 52);
  noticeRoom.value = room;
  mounted(NoticeBar, {});
  useNotice().done('Saved.');
  await expect.poll(() => document.querySelector('.notice-bar')).not.toBeNull();
  expect(document.querySelector('.notice-bar--in')).toBeNull();
});

it.each([
  { what: 'the page is scrolled', change: () => document.body.dispatchEvent(new Event('scroll')) },
  { what: 'the window changes', change: () => window.dispatchEvent(new Event('resize')) },
])('leaves what comes to lie beneath it when $what', async ({ change }) => {
  const content = document.createElement('main');
  content.id = 'content';
  content.getBoundingClientRect = () => new DOMRect(0, 100, 1_000, 600);
  const button = document.createElement('button');
  content.append(button);
  document.body.append(content);
  mounted(NoticeBar, {});
  useNotice().done('Saved.');
  const top = (): string | undefined => document.querySelector<HTMLElement>('.notice-bar')?.style.top;
  await expect.poll(top).toBe('692px');
  button.getBoundingClientRect = () => new DOMRect(0, 680, 1_000, 20);
  change();
  await expect.poll(top).toBe('676px');
});

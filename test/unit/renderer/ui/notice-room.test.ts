// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { freestPlace } from '../../../../renderer/ui/notice-room.ts';

const toast = { width: 300, height: 50 };

/** A page of 1000 by 700 px beneath a bar, with a button at each of these places. */
function pageWith(...buttons: [left: number, top: number, width: number, height: number][]): void {
  const content = document.createElement('main');
  content.id = 'content';
  content.getBoundingClientRect = () => new DOMRect(0, 100, 1_000, 600);
  content.append(
    ...buttons.map((place) => {
      const button = document.createElement('button');
      button.getBoundingClientRect = () => new DOMRect(...place);
      return button;
    }),
  );
  document.body.replaceChildren(content);
}

afterEach(() => document.body.replaceChildren());

it('is low and in the middle of an empty page', () => {
  pageWith();
  expect(freestPlace(toast)).toEqual({ left: 350, top: 642 });
});

it('is aside of what stands there', () => {
  pageWith([400, 650, 100, 40], [800, 650, 100, 40]);
  expect(freestPlace(toast)).toEqual({ left: 8, top: 642 });
});

it.each(['select', 'textarea', 'section'])('is aside of a %s that the keys stop at', (tag) => {
  pageWith();
  const stop = document.createElement(tag);
  if (tag === 'section') stop.tabIndex = 0;
  stop.getBoundingClientRect = () => new DOMRect(400, 650, 100, 40);
  document.querySelector('#content')?.append(stop);
  expect(freestPlace(toast)).toEqual({ left: 692, top: 642 });
});

it('is above what fills the foot, and covers the least where nothing is free', () => {
  pageWith([0, 650, 1_000, 40]);
  expect(freestPlace(toast)).toEqual({ left: 350, top: 594 });
  pageWith([0, 100, 1_000, 600], [400, 100, 20, 600]);
  expect(freestPlace(toast)).toEqual({ left: 692, top: 642 });
});

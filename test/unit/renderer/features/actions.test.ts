import { expect, it } from 'vitest';
import { createMemoryHistory, createRouter } from 'vue-router';
import { actions } from '../../../../renderer/features/actions.ts';
import { features } from '../../../../renderer/features/features.ts';

const router = createRouter({ history: createMemoryHistory(), routes: features.flatMap(({ routes }) => routes) });

it.each(actions.map(({ to }) => to))('%s leads to a page', (to) => {
  expect(router.resolve(to).matched).not.toEqual([]);
});

it('names each place once', () => {
  const places = actions.map(({ to }) => to);
  expect(new Set(places).size).toBe(places.length);
});

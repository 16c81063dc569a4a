// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { createMemoryHistory, createRouter } from 'vue-router';
import { features } from '../../../../renderer/features/features.ts';
import { picturedPages } from '../../../screens/pages.ts';
import type { PicturedSite } from '../../../screens/site.ts';

it('every page is among those of which pictures are taken and that axe-core looks at', () => {
  const router = createRouter({ history: createMemoryHistory(), routes: features.flatMap(({ routes }) => routes) });
  const ids = Object.fromEntries(['house', 'map', 'pid', 'user', 'dashboard'].map((one) => [one, `some-${one}`]));
  const series = ['device/measurement'];
  const site = { ...ids, series, yearSeries: series } as unknown as PicturedSite; // no page opens a service for its address
  const seen = new Set(picturedPages.flatMap(({ path }) => router.resolve(path(site)).matched.map((one) => one.path)));
  const pages = router.getRoutes().filter(({ redirect, components }) => redirect === undefined && components != null);
  expect(pages.map(({ path }) => path).filter((path) => !seen.has(path))).toEqual([]);
});

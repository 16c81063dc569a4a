// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import SectionDrawing from '../../../../../renderer/features/facility/SectionDrawing.vue';
import type { Opening } from '../../../../../server/contract/facility.ts';
import { mounted } from '../../ui/mounted.ts';

/** A page that is laid out, 600 px wide. */
class Observer {
  readonly #told: ResizeObserverCallback;
  constructor(told: ResizeObserverCallback) {
    this.#told = told;
  }
  observe(target: Element): void {
    const entry = { target, contentRect: { width: 600, height: 300 } } as unknown as ResizeObserverEntry; // all that is read
    this.#told([entry], this);
  }
  unobserve(): void {}
  disconnect(): void {}
}
vi.stubGlobal('ResizeObserver', Observer);

const shape = {
  roof_type: 'gable',
  bay_count: 2,
  bay_width_m: 8,
  length_m: 50,
  eave_height_m: 3,
  rise_m: 1.5,
  spacing_m: 0,
} as const;
const opening = (id: string, face: Opening['face'], centre_height_m: number): Opening => {
  return { id, name: id, face, area_m2: 40, centre_height_m };
};

it.each([
  [[], /wide in all\.$/],
  [[opening('a', 'ridge', 4.5)], /wide in all\. 1 opening in its walls and roof\.$/], // in both bays
  [[opening('a', 'ridge', 4.5), opening('b', 'left', 1.5)], /wide in all\. 2 openings in its walls and roof\.$/],
])('says how many openings it shows: %#', async (openings, said) => {
  const drawing = mounted(SectionDrawing, { props: { shape, openings } });
  await drawing.vm.$nextTick();
  expect(drawing.get('svg').attributes('aria-label')).toMatch(said);
});

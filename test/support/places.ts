import type { Page } from 'playwright-core';

export type Places = Map<string, string>;

/**
 * The left, top, width and height, px, of each thing of a page and of the bar above it that can be pressed or filled
 * in, by its name and how many of that name stand before it, wherever the page is scrolled to. Buttons that open a cut
 * text lie where the text does.
 */
export async function placesOf(page: Page, without: string): Promise<Places> {
  const found = await page.evaluate((left) => {
    const content = document.querySelector('#content');
    const every = document.querySelectorAll<HTMLElement>(
      `:is(#content, .shell__bar) :is(a, button, input, summary):not(.whole, ${left})`,
    );
    return [...every]
      .filter((one) => one.checkVisibility())
      .map((one): [name: string, place: string] => {
        const { x, y, width, height } = one.getBoundingClientRect();
        const labels = one instanceof HTMLInputElement ? one.labels : null;
        const name = one.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? one.textContent ?? '';
        // A count may change, and what a summary or a card that is a link says, but for a name in it.
        const named = one.querySelector('[data-name]')?.textContent;
        return [
          named !== undefined || one.tagName === 'SUMMARY'
            ? `${one.tagName} ${named ?? ''}`
            : name.trim().replace(/ \(\d+\)$/, ''),
          [x, y + (content?.contains(one) ? content.scrollTop : 0), width, height].map(Math.round).join(' '),
        ];
      });
  }, without);
  const counts = new Map<string, number>();
  return new Map(
    found.map(([name, place]) => {
      const n = counts.get(name) ?? 0;
      counts.set(name, n + 1);
      return [`${name} ${n}`, place];
    }),
  );
}

/** Which things are there no more, and which stand elsewhere. */
export function heldOf(before: Places, after: Places) {
  const gone = [...before.keys()].filter((name) => !after.has(name));
  const places = [...before].map(([name, place]) => ({ name, place, now: after.get(name) }));
  return { gone, moved: places.filter(({ place, now }) => now !== undefined && place !== now) };
}

import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** What no page may have; a cut text may be meant. */
const faultKinds = ['axe', 'wider than the window', 'not reached', 'thrown', 'left in English'] as const;

/** What a look at a page found; empty when all is well. */
export interface Finding {
  kind: (typeof faultKinds)[number] | 'cut';
  what: string;
}

export const isFault = ({ kind }: Finding): boolean => (faultKinds as readonly string[]).includes(kind);

/** Runs axe-core, which the context loaded, on what the page shows. */
export async function accessibilityFindings(page: Page): Promise<Finding[]> {
  const results = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<AxeResults> } }; // by the init script
    return axe.run();
  });
  return results.violations.map(({ id, help, nodes }) => ({
    kind: 'axe',
    what: `${id}: ${help} (${nodes.length}) ${String(nodes[0]?.target)} ${nodes[0]?.failureSummary?.split('\n')[1]?.trim() ?? ''}`,
  }));
}

/**
 * What sticks out of the window, and words cut off that no press opens: what a title holds is for a mouse alone, and
 * `aria-haspopup` is a button that opens the whole.
 */
export function layoutFindings(page: Page): Promise<Finding[]> {
  return page.evaluate(() => {
    const found: Finding[] = [];
    const nameOf = (one: Element): string =>
      `${one.tagName.toLowerCase()}.${[...one.classList].join('.')} "${(one.textContent ?? '').trim().slice(0, 40)}"`;
    const wide = Math.max(document.documentElement.scrollWidth, document.querySelector('#content')?.scrollWidth ?? 0);
    const room = document.querySelector('#content')?.clientWidth ?? document.documentElement.clientWidth;
    if (wide > room && wide > document.documentElement.clientWidth) {
      const widest = [...document.querySelectorAll('#content *')].find(
        (one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1,
      );
      found.push({ kind: 'wider than the window', what: `${wide} px; ${widest ? nameOf(widest) : ''}` });
    }
    for (const one of document.querySelectorAll<HTMLElement>('body *')) {
      const holdsText = [...one.childNodes].some(({ nodeType, data }: ChildNode & { data?: string }) =>
        nodeType === 3 ? (data ?? '').trim() !== '' : false,
      );
      if (!holdsText || one.closest('.v-overlay, .u-over, [hidden], [aria-haspopup], svg, .leaflet-container'))
        continue;
      const style = getComputedStyle(one);
      if (style.visibility === 'hidden' || style.clipPath !== 'none' || one.clientWidth < 2) continue;
      const hides = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip';
      const isCut =
        (hides(style.overflowX) && one.scrollWidth > one.clientWidth + 1) ||
        (hides(style.overflowY) && one.scrollHeight > one.clientHeight + 3); // px; a letter may hang below its line
      if (isCut) found.push({ kind: 'cut', what: nameOf(one) });
    }
    return found;
  });
}

/** Words that every language writes in Latin letters: units, protocols, products and names of things here. */
const latin = new Set(
  (
    'API CSV PDF PNG PID VPD PAR MQTT Modbus TCP RTU HTTP HTTPS JSON WMS SHA URL LAN EPW GeoJSON KML GPX SMTP LCD DIN ISO UTC ' +
    'Orangery English OpenStreetMap Natural Earth RainViewer ISRIC SoilGrids Open Meteo OpenWeather VWorld Windows macOS iPhone ' +
    'iPad Android Debian Ubuntu Firefox npx orangery fingerprint MBTiles PMTiles ppm kPa hPa klx mol umol min max kWh MWh rpm ' +
    'Ctrl Esc Del Tab Hold Reset anti windup KMZ GeoPackage Nominatim'
  ).split(' '),
);

/**
 * English words that stand in a page of another language. Names are what people and services call things; what is
 * English on purpose is marked: `lang=en` literature and words of programs, `translate=no` packages and identifiers.
 */
export async function englishFindings(page: Page, isName: (text: string) => boolean): Promise<Finding[]> {
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set<string>();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (
        parent?.closest(
          'script, noscript, style, code, pre, kbd, .leaflet-control-attribution, [translate=no], [lang=en]',
        )
      )
        continue;
      found.add((node.textContent ?? '').trim());
    }
    for (const one of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder']) found.add((one.getAttribute(name) ?? '').trim());
    }
    return [...found];
  });
  return texts
    .filter((text) => /[A-Za-z]{3,}/.test(text) && !/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(text))
    .filter((text) => !isName(text) && (text.match(/[A-Za-z]{3,}/g) ?? []).some((word) => !latin.has(word)))
    .map((what) => ({ kind: 'left in English', what: what.slice(0, 120) }));
}

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { language as languageOf, type Language } from '../../server/contract/language.ts';
import { mapServices } from '../../server/contract/map-service.ts';
import { openBrowser } from '../support/browser.ts';
import { removeDataDirectory } from '../support/running-service.ts';
import { admin } from '../support/service-client.ts';
import { accessibilityFindings, englishFindings, isFault, layoutFindings, type Finding } from './findings.ts';
import { picturedPages } from './pages.ts';
import { makeSheet } from './sheet.ts';
import { makePicturedSite, type PicturedSite } from './site.ts';

/*
 * Takes a picture of every page in every language, theme and width, and says what axe-core, the layout and the words
 * have against it: `npm run screens`, or a part of it by `-- --page house --language ko --theme dark --width 390`. It
 * fails on what axe-core finds, on what is wider than its window, on words left in English, and on a page that throws
 * or is not reached; a cut text may be meant, and is for the reader.
 */
const widths = { '390': 844, '820': 1180, '1280': 800 } as const;
const widthNames = ['390', '820', '1280'] as const satisfies (keyof typeof widths)[];
const languages = languageOf.options;
interface Variant {
  name: string;
  /** Of a question, which stands in the middle of the window, only that is pictured. */
  isWindow: boolean;
  language: Language;
  width: keyof typeof widths;
}
const themes = ['light', 'dark'] as const;
const tallest_px = 6_000;
/** For a machine that does other work beside. */
const patient_ms = 180_000;
const folder = join(import.meta.dirname, '../output/screens');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What a person or a service called a thing is shown as it was written. */
const names =
  /House \d|Farm|Suwon|Seoul|Tomato|Greenhouse|Valve 3|Probe \d|grower|hana|jun|Heating|Frost|Lamps|Pruned|Broker|Today|Water the|^(\d\d:\d\d )?(Day|Night)$|^(· )?(Shift|test)$/;
const services = new Set(Object.values(mapServices).map(({ name }) => name));
const isName = (text: string): boolean => names.test(text) || services.has(text);

const { values: wanted } = parseArgs({
  options: Object.fromEntries(
    (['page', 'language', 'theme', 'width'] as const).map(
      (name) => [name, { type: 'string', multiple: true }] as const,
    ),
  ),
});
const isWanted = (name: string, value: string): boolean => {
  const asked = wanted[name];
  return asked === undefined || asked.includes(value);
};

/** The whole of a page that scrolls in its frame. */
async function picture(page: Page, file: string, width: number, height: number): Promise<void> {
  const more = await page.evaluate(() => {
    const frames = [
      document.querySelector('#content') ?? document.documentElement,
      ...document.querySelectorAll('.trends__main'),
    ];
    return Math.max(...frames.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight));
  });
  if (more > 0) {
    await page.setViewportSize({ width, height: Math.min(tallest_px, height + more) });
    await page.waitForTimeout(600); // cards that come near the window are drawn
  }
  await page.screenshot({ path: file });
}

async function openLanguage(browser: Browser, site: PicturedSite, language: Language): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: language, viewport: { width: 1280, height: 800 } });
  await context.addInitScript(`localStorage.setItem('orangery.language', '${language}')`);
  await context.addInitScript(axe);
  context.setDefaultTimeout(patient_ms);
  const page = await context.newPage();
  await page.goto(`${site.service.url}/login`);
  await page.locator('input[autocomplete=username]').fill(admin.username);
  await page.locator('input[autocomplete=current-password]').fill(admin.password);
  await page.locator('button[type=submit]').click();
  await page.locator('#content').waitFor();
  await page.close();
  return context;
}

/**
 * A page in both themes at one width, as it is after it was opened there: what a phone folds away at once is folded
 * away.
 */
async function look(page: Page, { name, isWindow, language, width }: Variant): Promise<Finding[]> {
  const found: Finding[] = [];
  const wide = Number(width);
  for (const theme of themes.filter((one) => isWanted('theme', one))) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: wide, height: widths[width] });
    await page.waitForTimeout(400); // a chart draws itself anew
    await page.waitForFunction(() => !document.getAnimations().some((one) => one instanceof CSSTransition));
    const file = join(folder, `${name}-${language}-${theme}-${width}.png`);
    if (isWindow) await page.screenshot({ path: file });
    else await picture(page, file, wide, widths[width]);
    const at = ` [${language} ${theme} ${width}]`;
    found.push(...marked(await accessibilityFindings(page), at));
    if (theme === 'light') found.push(...marked(await layoutFindings(page), at));
  }
  if (language !== 'en') found.push(...marked(await englishFindings(page, isName), ` [${language}]`));
  return found;
}

/** A page whose act fails is told in the report, and the others are still pictured. */
const notReached = (error: unknown, language: Language, width: string): Finding => ({
  kind: 'not reached',
  what: `${error instanceof Error ? error.message.split('\n', 1).join('') : String(error)} [${language} ${width}]`,
});

const marked = (found: Finding[], at: string): Finding[] => found.map(({ kind, what }) => ({ kind, what: what + at }));

async function lookAll(browser: Browser, site: PicturedSite): Promise<Map<string, Finding[]>> {
  const report = new Map<string, Finding[]>();
  for (const language of languages.filter((one) => isWanted('language', one))) {
    const member = await openLanguage(browser, site, language);
    // The browser knows the certificate of one service; that of the fresh one is another.
    const stranger = await browser.newContext({ locale: language, ignoreHTTPSErrors: true });
    await stranger.addInitScript(axe);
    stranger.setDefaultTimeout(patient_ms);
    for (const { name, path, act, isPublic, isFramed, isFresh, languages: only } of picturedPages) {
      if (!isWanted('page', name) || (only && !(only as readonly string[]).includes(language))) continue;
      for (const width of widthNames.filter((one) => isWanted('width', one))) {
        const page = await (isPublic ? stranger : member).newPage();
        const thrown: Finding[] = [];
        page.on('pageerror', ({ message }) =>
          thrown.push({ kind: 'thrown', what: `${message} [${language} ${width}]` }),
        );
        await page.setViewportSize({ width: Number(width), height: widths[width] });
        await page.goto((isFresh ? site.fresh : site.service).url + path(site));
        if (isPublic !== true) await page.locator(isFramed ? 'ol.steps' : '#content').waitFor(); // and not the log-in
        await page.waitForTimeout(1_500); // until live values and charts are there
        const missed = (await act?.(page).catch((error: unknown) => [notReached(error, language, width)])) ?? [];
        const found =
          missed.length > 0 ? missed : await look(page, { name, isWindow: act !== undefined, language, width });
        report.set(name, [...(report.get(name) ?? []), ...found, ...thrown]);
        await page.close();
      }
    }
    await Promise.all([member.close(), stranger.close()]);
  }
  return report;
}

function written(report: Map<string, Finding[]>): string {
  return [...report]
    .map(([name, found]) => {
      const lines = [...new Set(found.map(({ kind, what }) => `- ${kind}: ${what.replaceAll(/\s+/g, ' ')}`))];
      return `## ${name}\n${lines.length === 0 ? 'nothing found' : lines.join('\n')}\n`;
    })
    .join('\n');
}

if (Object.keys(wanted).length === 0) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const site = await makePicturedSite();
const browser = await openBrowser(site.service.url);
try {
  const found = await lookAll(browser, site);
  const report = written(found);
  writeFileSync(join(folder, 'findings.md'), report);
  for (const language of languages) {
    for (const width of widthNames) {
      for (const theme of themes) {
        if (isWanted('language', language) && isWanted('width', width) && isWanted('theme', theme)) {
          await makeSheet(browser, folder, `${language}-${theme}-${width}`);
        }
      }
    }
  }
  console.log(report);
  if ([...found.values()].flat().some(isFault)) process.exitCode = 1;
} finally {
  await browser.close();
  site.client.close();
  for (const service of [site.service, site.fresh]) {
    await service.stop();
    removeDataDirectory(service.dataDirectory);
  }
}

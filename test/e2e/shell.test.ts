import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, _electron as electron, type Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { electronBinary, hasDisplay } from '../../build/electron-binary.ts';
import { shellChannels } from '../../electron/ipc/contract.ts';
import type {} from '../../renderer/client/shell.ts'; // what a window has
import { goodPassword } from '../support/accounts.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { buildIfNeeded } from '../support/built.ts';
import { freePort, until } from '../support/daemon-process.ts';
import { LanClient } from '../support/lan-client.ts';
import { preloadScript } from '../support/preload-script.ts';
import {
  dataFolder,
  launchService,
  processesOf,
  setupTokenOf,
  type ServiceProcess,
} from '../support/service-process.ts';

const root = join(import.meta.dirname, '../..');
const pictureFolder = join(root, 'test/output/pictures');
const close: (() => Promise<unknown>)[] = [];

beforeAll(buildIfNeeded);

afterEach(async () => {
  for (const end of close.splice(0).reverse()) await end();
});

/** The page takes the token from the shell, so that nobody types it. */
async function setUp(page: Page, token: string): Promise<void> {
  const field = page.getByLabel('Setup token');
  await expect.poll(() => field.inputValue(), { timeout: 20_000 }).toBe(token);
  // It takes the focus a moment after it is drawn; what is typed elsewhere before would land in it.
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.getByLabel('User name').fill('grower');
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByLabel('Password again').fill(goodPassword);
  await page.getByRole('button', { name: 'Create administrator' }).click();
  await page.getByLabel('Name of the site').waitFor();
}

describe.skipIf(!hasBrowser())('the built preload, in Chromium', () => {
  it('gives the page the requests of the contract, nothing more, and the token reaches the form', async () => {
    const service = launchService({ dataDirectory: dataFolder(), entry: 'build/start.ts' });
    const url = await service.ready();
    const browser = await openBrowser(url);
    close.push(() => browser.close());
    const { page, errors } = await openPage(browser);
    const asked: string[] = [];
    await page.exposeFunction('__invoke', (channel: string) => {
      asked.push(channel);
      return channel === shellChannels.setupToken ? setupTokenOf(service) : undefined;
    });
    await page.addInitScript(preloadScript(readFileSync(join(root, 'dist/preload/index.cjs'), 'utf8')));
    await page.goto(url);
    expect(await page.evaluate(() => Object.keys(window.orangery ?? {}).sort())).toEqual(
      [...Object.keys(shellChannels), 'onOpen'].sort(),
    );
    await setUp(page, setupTokenOf(service));
    const { setupToken, setLanguage, setTheme, tellAlarms } = shellChannels;
    const said = [setLanguage, setTheme, setupToken, tellAlarms].sort();
    await expect.poll(() => [...new Set(asked)].sort()).toEqual(said);
    expect(errors).toEqual([]);
    expect(await breakOut(page)).toEqual({
      blocked: [
        'base-uri',
        'connect-src',
        'form-action',
        'frame-src',
        'img-src',
        'object-src',
        'script-src',
        'script-src-elem',
      ],
      ran: [],
    });
    expect(new URL(page.url()).origin).toBe(url);
    for (const [theme, background] of [
      ['dark', 'rgb(20, 24, 27)'],
      ['light', 'rgb(223, 226, 228)'],
    ] as const)
      // prettier-ignore
      expect(await firstFrame(page, theme)).toBe(background);
  });
});

/** The colour of the page until its script runs, where that theme was chosen and the system has the other. */
async function firstFrame(page: Page, theme: 'dark' | 'light'): Promise<string> {
  await page.emulateMedia({ colorScheme: theme === 'dark' ? 'light' : 'dark' });
  await page.evaluate((chosen) => localStorage.setItem('orangery.theme', chosen), theme);
  await page.route(/\/assets\/(?!boot-theme).+\.js$/, (route) => route.abort());
  await page.reload();
  const color = await page.locator('.boot').evaluate((frame) => getComputedStyle(frame).backgroundColor);
  await page.unrouteAll();
  return color;
}

/**
 * What somebody tries who got a line of markup into the page; which directives of its policy stopped it, and what ran
 * all the same.
 */
function breakOut(page: Page): Promise<{ blocked: string[]; ran: string[] }> {
  return page.evaluate(async () => {
    const blocked = new Set<string>();
    const ran: string[] = [];
    Reflect.set(window, 'ran', (what: string) => ran.push(what));
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => blocked.add(effectiveDirective));
    const add = (name: string, members: object): void => {
      document.body.append(Object.assign(document.createElement(name), members));
    };
    const away = 'https://example.org/';
    add('script', { textContent: "ran('inline')" });
    add('script', { src: `${away}x.js` });
    add('iframe', { src: away });
    add('img', { src: `${away}x.png` });
    add('object', { data: `${away}x` });
    add('base', { href: away });
    add('form', { action: away });
    document.forms[document.forms.length - 1]?.submit();
    await fetch(away).catch(() => undefined);
    // Not here: what the debugger evaluates may call eval.
    await new Promise<void>((resolve) => {
      setTimeout(() => {
        try {
          window.eval("ran('eval')");
        } catch {
          resolve();
        }
      });
      setTimeout(resolve, 2_000);
    });
    // Frames, objects and forms are judged in another process.
    for (let tries = 0; tries < 1_000 && blocked.size < 8; tries += 1)
      await new Promise((next) => setTimeout(next, 50));
    return { blocked: [...blocked].sort(), ran };
  });
}

/** What the page about the program says in the application, and what it gathers for support. */
async function lookAbout(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/settings/about`);
  await page.getByText(/^Version \d/).waitFor();
  await page.getByText('Control runs in this application.', { exact: false }).waitFor();
  await page.getByText(/dead-man timers/).waitFor();
  const kiosk = page.getByLabel(/^Kiosk/);
  await kiosk.check();
  await expect.poll(() => page.evaluate(async () => (await window.orangery?.status())?.is_kiosk)).toBe(true);
  await kiosk.uncheck();
  await page.getByRole('button', { name: 'Collect' }).click();
  const log = page.locator('[data-support-part=log]');
  await log.locator('summary').click();
  await log.getByText('service', { exact: false }).first().waitFor();
  await page.getByLabel('Filter', { exact: true }).fill('sqlite');
  await page.getByText('better-sqlite3').waitFor();
  await page.screenshot({ path: join(pictureFolder, 'about.png'), fullPage: true });
  await log.getByLabel('Program log').uncheck();
  await expect.poll(() => page.getByRole('button', { name: 'Save file' }).isEnabled()).toBe(true);
}

describe.skipIf(!hasBrowser())('the built main bundle, with a window of Chromium', () => {
  async function launch(
    env: Record<string, string> = {},
  ): Promise<{ service: ServiceProcess; url: string; page: Page }> {
    const port = await freePort();
    const service = launchService({
      dataDirectory: dataFolder(),
      entry: 'dist/main/index.js',
      options: ['--import', join(root, 'test/support/electron-stand-in.ts')],
      env: { STAND_IN_PORT: String(port), ...env },
    });
    const url = await service.ready();
    const browser = await until(
      () => chromium.connectOverCDP(`http://127.0.0.1:${port}`).catch(() => null), // it is opened after that
      (found) => found !== null,
    );
    if (browser === null) throw new Error('there is no browser');
    close.push(() => browser.close());
    const pages = (): Page[] => browser.contexts().flatMap((context) => context.pages());
    const own = await until(
      () => pages().find((page) => page.url().startsWith(url)),
      (page) => page !== undefined,
    );
    if (own === undefined) throw new Error('there is no window');
    return { service, url, page: own };
  }

  it('trusts its own service, answers its page, and ends in order however often it is asked', async () => {
    const { service, url, page } = await launch();
    await setUp(page, setupTokenOf(service));
    expect(processesOf(service.dataDirectory)).toHaveLength(1);
    await lookAbout(page, url);
    service.child.kill('SIGTERM');
    service.child.kill('SIGINT');
    expect(await service.ended).toBe(0);
    expect(processesOf(service.dataDirectory)).toEqual([]);
    expect(service.lines).toEqual([expect.stringMatching(/^setup token: /), `ready ${url}`]);
  });

  it('goes on controlling when its window is closed', async () => {
    const { service, page } = await launch();
    await page.close();
    expect((await pinned(service)).status).toBe(200);
    expect(processesOf(service.dataDirectory)).toHaveLength(1);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(processesOf(service.dataDirectory)).toEqual([]);
  });

  it('that is ended by force takes its daemon along, and the next start is sound', async () => {
    const { service } = await launch();
    const { dataDirectory } = service;
    expect(processesOf(dataDirectory)).toHaveLength(1);
    service.child.kill('SIGKILL');
    await service.ended;
    await until(
      () => processesOf(dataDirectory).length,
      (count) => count === 0,
    );
    const { service: next } = await launch({ ORANGERY_DATA_DIR: dataDirectory });
    expect((await pinned({ ...next, dataDirectory })).body).toEqual({ status: 'up' });
  });

  it('attaches to a service of the machine that runs already, and leaves it running', async () => {
    const running = launchService({ dataDirectory: dataFolder() });
    const url = await running.ready();
    const { service, page } = await launch({ ORANGERY_HTTPS_PORT: new URL(url).port });
    expect(new URL(page.url()).origin).toBe(url);
    expect(service.lines).toEqual([`ready ${url}`]);
    expect(processesOf(service.dataDirectory)).toEqual([]);
    await page.close();
    expect(await service.ended).toBe(0);
    expect((await pinned(running)).status).toBe(200);
  });

  async function pinned(service: ServiceProcess) {
    const client = new LanClient({ url: await service.ready(), dataDirectory: service.dataDirectory });
    close.push(async () => client.close());
    return client.get('/api/health');
  }
});

const binary = electronBinary();
const whyNot = binary === null ? 'its binary is not here' : hasDisplay() ? '' : 'there is no display';

describe(`Electron itself${whyNot && ` (skipped: ${whyNot})`}`, () => {
  it.runIf(process.env['REQUIRE_ELECTRON'] === '1')('is here, as REQUIRE_ELECTRON asks', () => {
    expect(whyNot).toBe('');
  });

  it.skipIf(whyNot !== '')('opens the page in its sandbox, runs the daemon and ends in order', async () => {
    const dataDirectory = dataFolder();
    const app = await electron.launch({
      executablePath: binary ?? '',
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), root],
      env: {
        ...environment(),
        ORANGERY_DATA_DIR: dataDirectory,
        ORANGERY_HTTPS_PORT: '0',
        ORANGERY_DAEMON_PORT: '0',
      },
    });
    close.push(() => app.close().catch(() => undefined)); // closed already where the test went well
    const page = await app.firstWindow();
    await page.waitForURL(/^https:/, { timeout: 60_000 }); // until then it shows what the start waits for
    const token = await page.evaluate(() => window.orangery?.setupToken());
    expect(token).toMatch(/^[\w-]{32}$/);
    await setUp(page, token ?? '');
    expect(
      await page.evaluate(() => [typeof Reflect.get(window, 'require'), typeof Reflect.get(window, 'process')]),
    ).toEqual(['undefined', 'undefined']);
    expect(await page.evaluate(() => window.open('https://example.org/'))).toBeNull();
    const { origin } = new URL(page.url());
    await page.evaluate(() => location.assign('https://example.org/'));
    expect(await page.evaluate(() => navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'given', () => 'refused'))).toBe('refused'); // prettier-ignore
    for (const name of ['geolocation', 'notifications', 'midi'] as const) {
      const { state } = await page.evaluate((asked) => navigator.permissions.query({ name: asked }).then(({ state: told }) => ({ state: told })), name); // prettier-ignore
      expect([name, state]).toEqual([name, 'denied']);
    }
    expect((await breakOut(page)).ran).toEqual([]);
    expect(new URL(page.url()).origin).toBe(origin);
    expect(app.windows()).toHaveLength(1);
    const ended = once(app.process(), 'exit');
    await app.close();
    expect((await ended)[0]).toBe(0);
    expect(processesOf(dataDirectory)).toEqual([]);
  });
});

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

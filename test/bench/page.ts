import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { Matrix, solve } from 'ml-matrix';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { removeDataDirectory, startService } from '../support/running-service.ts';
import { admin, makeSimulatedSite, ServiceClient } from '../support/service-client.ts';
import { median, spread, type Figure } from './figure.ts';

const openings = 5;
/** A page that is left open: an hour with TEST_SCALE=long. */
const watched_min = process.env['TEST_SCALE'] === 'long' ? 60 : 10;
const minuteMs = 60_000;
/** What the product promises: a page on a local network is there at once, and one left open for weeks stays small. */
const paintMost_ms = 800;
const growthMost_mb = 1;

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;

async function logIn(browser: Browser, url: string): Promise<Cookies> {
  const { page } = await openPage(browser);
  await page.goto(url);
  await page.getByLabel('User name').fill(admin.username);
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'House 1' }).waitFor();
  const cookies = await page.context().cookies();
  await page.context().close();
  return cookies;
}

/** The overview in a browser that has nothing of it: its first paint, and the script that it loads by itself. */
async function openCold(
  browser: Browser,
  url: string,
  cookies: Cookies,
): Promise<{ paintMs: number; scriptKb: number }> {
  const { page } = await openPage(browser);
  await page.context().addCookies(cookies);
  await page.goto(url);
  await page.getByRole('link', { name: 'House 1' }).waitFor();
  const found = await page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    const scripts = performance
      .getEntriesByType('resource')
      .filter((one): one is PerformanceResourceTiming => one instanceof PerformanceResourceTiming)
      .filter(({ name, startTime }) => name.endsWith('.js') && startTime <= performance.now());
    return {
      paintMs: paint?.startTime ?? Number.NaN,
      scriptKb: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000,
    };
  });
  await page.context().close();
  return found;
}

interface Watched {
  /** After garbage collection, each minute from the second one. */
  heapMb: number[];
  nodes: number[];
  requests: number;
}

/** A live house page that nobody touches. */
async function leaveOpen(page: Page): Promise<Watched> {
  const session = await page.context().newCDPSession(page);
  const watched: Watched = { heapMb: [], nodes: [], requests: 0 };
  await pause(minuteMs); // what it loads when it is idle
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) watched.requests += 1;
  });
  for (let minute = 1; minute < watched_min; minute += 1) {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes } = await session.send('Memory.getDOMCounters');
    watched.heapMb.push(usedSize / 1e6);
    watched.nodes.push(nodes);
    await pause(minuteMs);
  }
  return watched;
}

/** Growth of a straight line through the values, one a minute, for an hour (least squares). */
function hourlyGrowth(values: readonly number[]): number {
  const minutes = new Matrix(values.map((_value, minute) => [1, minute]));
  return 60 * solve(minutes, Matrix.columnVector([...values])).get(1, 0);
}

/** What the pages cost: opening them the first time, and leaving one open. */
export async function benchPage(): Promise<Figure[]> {
  if (!hasBrowser()) return [];
  const service = await startService({ env: { ORANGERY_LOG_LEVEL: 'warn' } });
  const client = await ServiceClient.setUp(service);
  const browser = await openBrowser(service.url);
  try {
    const { facility } = await makeSimulatedSite(client);
    const cookies = await logIn(browser, service.url);
    const cold: Awaited<ReturnType<typeof openCold>>[] = [];
    for (let run = 0; run < openings; run += 1) cold.push(await openCold(browser, service.url, cookies));
    const { page } = await openPage(browser);
    await page.context().addCookies(cookies);
    await page.goto(`${service.url}/houses/${facility.unique_id}`);
    await page.getByText('°C').first().waitFor();
    const { heapMb, nodes, requests } = await leaveOpen(page);
    const paints = cold.map(({ paintMs }) => paintMs);
    const growth_mb = hourlyGrowth(heapMb);
    const [first = Number.NaN, last = Number.NaN] = [heapMb[0], heapMb.at(-1)];
    return [
      {
        what: `overview in a browser that has nothing of it, first paint, median of ${openings}`,
        value: spread(paints, 'ms'),
        limit: { measured: median(paints), most: paintMost_ms, unit: 'ms' },
      },
      {
        what: '… compressed script until its values are seen',
        value: spread(
          cold.map(({ scriptKb }) => scriptKb),
          'kB',
        ),
      },
      {
        what: `house page left open for ${watched_min} min, heap at 1 min and at the end`,
        value: `${first.toFixed(1)} and ${last.toFixed(1)} MB`,
      },
      {
        what: '… growth of the heap in an hour by its trend',
        value: `${growth_mb.toFixed(2)} MB`,
        limit: { measured: growth_mb, most: growthMost_mb, unit: 'MB' },
      },
      { what: '… DOM nodes at 1 min and at the end', value: `${nodes[0]} and ${nodes.at(-1)}` },
      {
        what: '… requests beside the event stream',
        value: `${(requests / (watched_min - 1)).toFixed(1)} a minute`,
      },
    ];
  } finally {
    await browser.close();
    client.close();
    await service.stop();
    removeDataDirectory(service.dataDirectory);
  }
}

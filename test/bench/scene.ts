import type { Page } from 'playwright-core';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { removeDataDirectory, startService } from '../support/running-service.ts';
import { admin, makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { percentile, type Figure } from './figure.ts';

const frames = 240;

/** A gutter-connected glasshouse of ten bays, with vents, fans and a screen. */
const tenBays = {
  preset: 'venlo',
  structure: 'connected',
  bay_count: 10,
  envelope: { bay_width_m: 6.4, length_m: 60, eave_height_m: 5, ridge_height_m: 5.9, material: 'glass_single' },
  openings: [{ id: 'top', name: 'Roof', face: 'ridge', area_m2: 300, centre_height_m: 5.5 }],
  curtains: [{ kind: 'thermal', position: 'ceiling', layers: 1 }],
  fans: [{ kind: 'circulation', flow_m3h: 6000, count: 20 }],
};

/** Has the page count what each frame asks of WebGL. */
function countDrawing(): void {
  const drawn = { calls: 0, corners: 0 };
  Object.assign(globalThis, { drawn });
  // eslint-disable-next-line typescript/unbound-method -- both are called with their context
  const { drawArrays, drawElements } = WebGL2RenderingContext.prototype;
  Object.assign(WebGL2RenderingContext.prototype, {
    drawArrays(this: WebGL2RenderingContext, ...given: Parameters<typeof drawArrays>) {
      drawn.calls += 1;
      drawn.corners += given[2];
      drawArrays.apply(this, given);
    },
    drawElements(this: WebGL2RenderingContext, ...given: Parameters<typeof drawElements>) {
      drawn.calls += 1;
      drawn.corners += given[1];
      drawElements.apply(this, given);
    },
  });
}

/** Times between frames while a key that turns the house is held, ms. */
async function turnHouse(page: Page): Promise<number[]> {
  return page.locator('canvas.model__canvas').evaluate(
    (canvas, count) =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        const step = (at: number): void => {
          times.push(at);
          if (times.length > count) resolve(times.slice(1).map((time, index) => time - (times[index] ?? time)));
          else {
            canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
            requestAnimationFrame(step);
          }
        };
        requestAnimationFrame(step);
      }),
    frames,
  );
}

function drawnBy(page: Page): Promise<{ calls: number; corners: number }> {
  return page.evaluate(() => ({ ...(globalThis as unknown as { drawn: { calls: number; corners: number } }).drawn })); // of countDrawing
}

async function openModel(page: Page, url: string, { facility }: SimulatedSite): Promise<void> {
  await page.goto(`${url}/houses/${facility.unique_id}/model`);
  await page.getByLabel('User name').fill(admin.username);
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Corner' }).and(page.locator(':enabled')).waitFor();
}

/** How fluently a house in 3D turns in a browser, drawn by the processor where there is no graphics card. */
export async function benchScene(): Promise<Figure[]> {
  if (!hasBrowser()) return [];
  const service = await startService({ env: { ORANGERY_LOG_LEVEL: 'warn' } });
  const browser = await openBrowser(service.url);
  try {
    const client = await ServiceClient.setUp(service);
    const site = await makeSimulatedSite(client);
    await client.ask('POST', '/api/geo/facility', { unique_id: site.facility.unique_id, ...tenBays });
    client.close();
    const { page } = await openPage(browser, { viewport: { width: 1280, height: 800 } });
    await page.addInitScript(countDrawing);
    await openModel(page, service.url, site);
    const row = async (what: string): Promise<Figure> => {
      await turnHouse(page);
      const before = await drawnBy(page);
      const times = await turnHouse(page);
      const after = await drawnBy(page);
      const each = (sum: number): string => Math.round(sum / times.length).toLocaleString('en');
      const work = `${each(after.calls - before.calls)} draw calls of ${each((after.corners - before.corners) / 3)} triangles`;
      const rate = (percent: number): string => `${Math.round(1000 / percentile(times, percent))}`;
      return { what, value: `${rate(50)} frames/s median, ${rate(95)} at the 95th percentile, ${work}` };
    };
    const solid = await row('turning a house of 10 bays in 3D, 1280 x 800, WebGL without a graphics card');
    await page.getByText('Fast', { exact: true }).click();
    return [solid, await row('… drawn as Fast')];
  } finally {
    await browser.close();
    await service.stop();
    removeDataDirectory(service.dataDirectory);
  }
}

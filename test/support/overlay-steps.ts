import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose } from './choose.ts';
import { atRest } from './at-rest.ts';
import type { Story } from './story.ts';

/**
 * Adds a layer of the Web Map Service at an origin (`drawn-providers.ts`) from the service's list, on its settings
 * page.
 */
export async function addOfferedLayer(page: Page, story: Story, origin: string): Promise<void> {
  await page.getByRole('button', { name: 'Add layer' }).click();
  const dialog = page.locator('.v-dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Soil map');
  await dialog.getByLabel('Address of the service').fill(`${origin}/wms?map=soil`);
  await dialog.getByRole('button', { name: 'List layers' }).click();
  await dialog.getByLabel('Soil survey: 2 layers').click();
  await page.getByRole('option', { name: /Soil types/ }).click();
  await expect.poll(() => dialog.getByLabel('Layers, separated by commas').inputValue()).toBe('soil_types');
  await story.picture('wms-layer');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Soil map', { exact: true }).waitFor();
}

/**
 * Draws that layer, clouds and an hour's rain over the open map, each with its attribution, and asks what is at a
 * place.
 */
export async function lookAtOverlays(page: Page, story: Story): Promise<void> {
  const pictures = (of: string) =>
    page.evaluate(
      (part) =>
        [...document.querySelectorAll<HTMLImageElement>(`img.leaflet-tile-loaded[src*="${part}"]`)].map((one) => one.src),
      of,
    ); // prettier-ignore
  await page.getByRole('button', { name: 'Outside layers' }).click();
  for (const name of ['Soil map', 'Rain radar']) await page.getByLabel(name, { exact: true }).check();
  await choose(page.getByRole('combobox', { name: 'Weather layer' }), 'Clouds');
  for (const name of ['Show soil where I click', 'Query map layers where I click']) await page.getByLabel(name).check();
  await page.keyboard.press('Escape');
  await page.getByRole('group', { name: 'Outside layers' }).first().waitFor({ state: 'hidden' });
  for (const path of ['/wms/', '/openweather/']) await expect.poll(() => pictures(path)).not.toEqual([]);
  await expect.poll(() => pictures('/rainviewer/')).not.toEqual([]);
  const newest = await page.getByRole('group', { name: 'Rain radar' }).locator('time').innerText();
  const before = await atRest(() => pictures('/rainviewer/'));
  await page.getByRole('slider', { name: 'Time of the radar image' }).press('Home');
  await expect.poll(() => pictures('/rainviewer/')).not.toEqual(before);
  const radarTime = page.getByRole('group', { name: 'Rain radar' }).locator('time');
  await expect.poll(() => radarTime.innerText()).not.toBe(newest);
  await page.getByRole('slider', { name: 'Time of the radar image' }).press('End');
  await radarTime.getByText('forecast').waitFor();
  await page.mouse.click(700, 500);
  await page.getByRole('region', { name: 'Soil' }).getByText('5.8').waitFor();
  await page.getByText('sandy loam').waitFor();
  const whose = page.locator('.leaflet-control-attribution');
  for (const one of ['Soil map', 'Rain Viewer', 'OpenWeather'])
    await expect.poll(() => whose.innerText()).toContain(one);
  await page.getByText('ISRIC SoilGrids', { exact: false }).waitFor();
  await story.picture('overlays');
  await page.getByRole('button', { name: 'Outside layers' }).click();
  await page.getByLabel('Show soil where I click').uncheck();
  await page.getByRole('region', { name: 'Soil' }).waitFor({ state: 'detached' });
  await page.evaluate(() => {
    const name = 'orangery.map-outside';
    const shown = JSON.parse(localStorage.getItem(name) ?? '{}') as object; // as the page stores it
    localStorage.setItem(name, JSON.stringify({ ...shown, hasRadar: false, weather: null, wms: [] }));
  });
  await page.reload();
}

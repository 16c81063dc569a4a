import type { CDPSession, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { sizeOf } from '../../renderer/map/geodesy.ts';
import { pathsOf } from '../../renderer/map/geometry.ts';
import type { FeatureCollection } from '../../server/contract/overlay.ts';
import { atRest } from './at-rest.ts';
import type { RunningService } from './running-service.ts';
import type { ServiceClient } from './service-client.ts';

interface Place {
  x: number;
  y: number;
}

/** Between the upper edge of an outline and its name, as `.map-label` has it. */
const gap_px = 6;
const view = { lat: 37.5, lng: 127, zoom: 19 };

/** About 42 m by 20 m, around the middle of the maps that `MapHand` creates. */
export const house = {
  type: 'Feature',
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [126.9998, 37.5],
        [127.00028, 37.5],
        [127.00028, 37.50018],
        [126.9998, 37.50018],
        [126.9998, 37.5],
      ],
    ],
  },
  properties: { type: 'facility', name: 'House 1' },
};

/** The angle between the sides at a corner, in degrees. */
export function angleAt(ring: readonly (readonly number[])[], at: number): number {
  const [[x = 0, y = 0] = [], [bx = 0, by = 0] = [], [ax = 0, ay = 0] = []] = [ring[at], ring[at + 1], ring[at - 1]];
  const narrow = Math.cos((y * Math.PI) / 180);
  const turn = Math.atan2(ay - y, (ax - x) * narrow) - Math.atan2(by - y, (bx - x) * narrow);
  return Math.acos(Math.cos(turn)) * (180 / Math.PI);
}

export interface NameBox {
  name: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Names that overlap by more than a pixel. */
export function overlapping(boxes: readonly NameBox[]): string[] {
  const meet = (a: NameBox, b: NameBox): boolean =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return boxes.flatMap((one, at) =>
    boxes.slice(at + 1).flatMap((other) => (meet(one, other) ? [`${one.name} and ${other.name}`] : [])),
  );
}

/** Number of shapes that each page has in this browser's journal; runs in the page. */
export async function journalled(): Promise<number[]> {
  const request = indexedDB.open('orangery-map-journal');
  const database = await new Promise<IDBDatabase>((resolve) => (request.onsuccess = () => resolve(request.result)));
  const all = database.transaction('edits').objectStore('edits').getAll();
  await new Promise((resolve) => (all.onsuccess = resolve));
  database.close();
  const records = all.result as { page: string }[]; // as the page writes them
  return [...Map.groupBy(records, ({ page }) => page.split(':')[0]).values()].map(({ length }) => length).sort();
}

/** Edits a map in the browser by mouse and finger, and reads the result from the service. */
export class MapHand {
  readonly page: Page;
  readonly #service: RunningService;
  readonly #client: ServiceClient;
  #touch: Promise<CDPSession> | undefined;

  constructor(page: Page, service: RunningService, client: ServiceClient) {
    this.page = page;
    this.#service = service;
    this.#client = client;
  }

  get canvas(): Locator {
    return this.page.locator('.map-page__canvas');
  }

  /** The bar of the tool for the selection. */
  get bar(): Locator {
    return this.page.locator('[data-test=shape-bar]');
  }

  shapes(count: number): Locator {
    return this.page.getByText(`Shapes (${count})`);
  }

  row(name: string): Locator {
    return this.page.locator('.shapes__row', { hasText: name });
  }

  act(action: string): Promise<void> {
    return this.page.locator(`[data-action=${action}]`).click();
  }

  /**
   * Drops files on an element; returns whether the browser would open them in place of the page, over it and dropped.
   */
  drop(on: Locator, ...files: (readonly [name: string, text: string])[]): Promise<boolean[]> {
    return on.evaluate((element, dropped) => {
      const dataTransfer = new DataTransfer();
      for (const [name, text] of dropped) dataTransfer.items.add(new File([text], name));
      return ['dragover', 'drop'].map((type) =>
        element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
      );
    }, files);
  }

  /** Presses keys with the focus on the map. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.canvas.press(key);
  }

  async makeMap(name: string): Promise<string> {
    const made = await this.#client.ask('POST', '/api/geo/designs', { ...view, name });
    const { map_uuid: geo_id } = made.body as { map_uuid: string }; // a design
    await this.#client.ask('POST', '/api/geo/overlays/delta', { geo_id, added: [house] });
    return geo_id;
  }

  /** Opens a new map with one house. */
  async begin(name: string): Promise<string> {
    const id = await this.makeMap(name);
    await this.page.goto(`${this.#service.url}/maps/${id}`);
    await this.shapes(1).waitFor();
    return id;
  }

  async stored(geo_id: string): Promise<FeatureCollection['features']> {
    const { body } = await this.#client.ask('GET', `/api/geo/overlays?geo_id=${geo_id}`);
    return (body as FeatureCollection).features; // of the contract
  }

  /** Positions of the names on the map, as their letters are seen. */
  nameBoxes(): Promise<NameBox[]> {
    return this.page.locator('.map-label').evaluateAll((names) =>
      names.map((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return { name: one.textContent, left, right, top, bottom };
      }),
    );
  }

  /** Where all saved outlines lie on the screen, from the names beneath the middle of their upper edges. */
  async outlinesBox(geo_id: string): Promise<Omit<NameBox, 'name'>> {
    const names = await atRest(() => this.nameBoxes());
    const outlines = (await this.stored(geo_id)).map(({ geometry, properties }) => {
      const positions = pathsOf(geometry).flatMap((path) => path.positions);
      const [lngs, lats] = [positions.map(([lng = NaN]) => lng), positions.map(([, lat = NaN]) => lat)];
      const box = {
        west: Math.min(...lngs),
        east: Math.max(...lngs),
        south: Math.min(...lats),
        north: Math.max(...lats),
      };
      return { ...box, middle: (box.west + box.east) / 2, label: names.find(({ name }) => name === properties.name) };
    });
    const named = outlines.flatMap(({ label, north, middle }) =>
      label === undefined ? [] : [{ north, middle, x: (label.left + label.right) / 2, y: label.top - gap_px }],
    );
    const [one] = named;
    if (one === undefined) throw new Error('the name of an outline is on the map');
    const narrow = Math.cos((one.north * Math.PI) / 180);
    const away = (other: (typeof named)[number]) =>
      [(other.middle - one.middle) * narrow, one.north - other.north] as const;
    const far = named.reduce((a, b) => (Math.hypot(...away(b)) > Math.hypot(...away(a)) ? b : a));
    const perDegree = Math.hypot(far.x - one.x, far.y - one.y) / Math.hypot(...away(far));
    const x = (lng: number): number => one.x + (lng - one.middle) * narrow * perDegree;
    const y = (lat: number): number => one.y + (one.north - lat) * perDegree;
    return {
      left: Math.min(...outlines.map(({ west }) => x(west))),
      right: Math.max(...outlines.map(({ east }) => x(east))),
      top: Math.min(...outlines.map(({ north }) => y(north))),
      bottom: Math.max(...outlines.map(({ south }) => y(south))),
    };
  }

  /** Saved areas, m² without decimals, the largest first. */
  async areas(geo_id: string): Promise<number[]> {
    await this.act('save');
    await this.page.getByText('Saved', { exact: true }).first().waitFor();
    return (await this.stored(geo_id))
      .map(({ geometry }) => Math.round(sizeOf(geometry).area_m2 ?? 0))
      .sort((a, b) => b - a);
  }

  /** The middle of the map on the screen. */
  async middle(): Promise<Place> {
    const box = await atRest(() => this.canvas.boundingBox());
    if (box === null) throw new Error('the map is on the page');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  async drag(from: Place, by: Place): Promise<void> {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(from.x + by.x / 2, from.y + by.y / 2, { steps: 3 });
    await mouse.move(from.x + by.x, from.y + by.y, { steps: 3 });
    await mouse.up();
  }

  /** Clicks corners around a place; leaflet-draw takes two clicks within 50 ms for one. */
  async corners(about: Place, offsets: readonly (readonly [x: number, y: number])[]): Promise<void> {
    const set = this.canvas.locator('.map-vertex');
    const before = await set.count();
    for (const [at, [x, y]] of offsets.entries()) {
      const click = async (): Promise<number> => {
        await this.page.mouse.move(about.x + x, about.y + y, { steps: 3 });
        await this.page.mouse.click(about.x + x, about.y + y);
        await this.page.waitForTimeout(80);
        return set.count();
      };
      await expect.poll(click).toBe(before + at + 1);
    }
  }

  /** Drags one finger from here to there. */
  async swipe(from: Place, to: Place): Promise<void> {
    this.#touch ??= this.page.context().newCDPSession(this.page);
    const session = await this.#touch;
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number): Promise<unknown> => {
      const at = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      return session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [at] });
    };
    await send('touchStart', 0);
    for (let step = 1; step <= 10; step += 1) await send('touchMove', step / 10);
    await send('touchEnd', 1);
  }
}

import { L } from '../leaflet.ts';
import type { PaintMessage, Painting } from './paint-loop.ts';
import type { PaintView } from './shape-painter.ts';

/**
 * So much of the view around it is painted too, where the canvas does not become too large by it: each px of it costs
 * time at every zoom.
 */
const margin = { least: 0.1, most: 0.25 };
const mostPixels = 16_000_000;

/** Starts a thread that paints, which takes as long as a map is read. */
export function startPainter(): Worker {
  return new Worker(new URL('./paint-worker.ts', import.meta.url), { type: 'module' });
}

/**
 * The shapes of a map on one canvas, painted in a thread of its own: while it paints, what it painted last is moved and
 * scaled with the map. Leaflet's canvas projects and draws each shape anew where a zoom ends, and the page stands still
 * until then.
 */
export class ShapeCanvas extends L.Layer {
  readonly #canvas = document.createElement('canvas');
  readonly #context = this.#canvas.getContext('bitmaprenderer');
  readonly #worker: Worker;
  #shown: PaintView | null = null;
  #asked: PaintView | null = null;
  #lastId = 0;
  #isChanged = false;
  #isHeld = false;
  /** Where a zoom that is under way ends. */
  #target: { center: L.LatLng; zoom: number } | null = null;
  /** Came while the map zoomed. */
  #late: Painting | null = null;
  #waiting: (() => void)[] = [];

  /** Ends the thread that is given when it is removed. */
  constructor(painter: Worker) {
    super({ pane: 'overlayPane' });
    this.#worker = painter;
    this.#canvas.className = 'map-shapes leaflet-zoom-animated';
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Painting>) => this.#painted(data));
  }

  override onAdd(): this {
    // Beneath whatever else is in the pane.
    this.getPane()?.prepend(this.#canvas);
    return this;
  }

  override onRemove(): this {
    this.#worker.terminate();
    this.#canvas.remove();
    this.#settle();
    return this;
  }

  override getEvents(): Record<string, L.LeafletEventHandlerFn> {
    return {
      zoomanim: (event) => this.#zoomBegins(event as L.ZoomAnimEvent), // as Leaflet has it
      zoomend: () => this.#zoomEnds(),
      zoom: () => this.#place(),
      viewreset: () => this.#place(),
      move: () => {
        if (this.#asked === null && !this.#covers()) this.#ask();
      },
      moveend: () => this.#ask(),
      resize: () => this.#ask(),
    };
  }

  /** What changes the picture; the changes of one turn are painted together. */
  tell(message: Exclude<PaintMessage, { kind: 'draw' }>, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
    this.#changed();
  }

  /** What is told until `release` is painted together: sooner only where the map moves. */
  hold(): void {
    this.#isHeld = true;
    delete this.#canvas.dataset['painted'];
  }

  release(): void {
    this.#isHeld = false;
    this.#changed();
  }

  /** Resolves once all that was told is seen. */
  async seen(): Promise<void> {
    this.#ask();
    if (this.#asked !== null) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #changed(): void {
    if (this.#isHeld || this.#isChanged) return;
    this.#isChanged = true;
    queueMicrotask(() => this.#ask());
  }

  #ask(): void {
    if ((this._map as L.Map | undefined) === undefined) return; // it has none before it is added
    const view = this.#viewAt(this.#target ?? { center: this._map.getCenter(), zoom: this._map.getZoom() });
    if (view.width * view.height === 0) return;
    if (!this.#isChanged && isSame(view, this.#asked ?? this.#shown)) return;
    this.#isChanged = false;
    this.#asked = view;
    delete this.#canvas.dataset['painted'];
    this.#worker.postMessage({ kind: 'draw', view } satisfies PaintMessage);
  }

  #viewAt({ center, zoom }: { center: L.LatLng; zoom: number }): PaintView {
    const size = this._map.getSize();
    const ratio = Math.min(2, devicePixelRatio);
    const room = (Math.sqrt(mostPixels / (size.x * size.y)) / ratio - 1) / 2;
    const around = 1 + 2 * Math.min(margin.most, Math.max(margin.least, room));
    const { x: width, y: height } = size.multiplyBy(around).round();
    const { x, y } = this._map
      .project(center, zoom)
      .subtract([width / 2, height / 2])
      .round();
    this.#lastId += 1;
    return { id: this.#lastId, zoom, x, y, width, height, ratio };
  }

  #painted(painting: Painting): void {
    if (this.#target === null) return this.#show(painting);
    this.#late?.bitmap.close();
    this.#late = painting;
  }

  #show({ view, bitmap }: Painting): void {
    this.#canvas.width = bitmap.width;
    this.#canvas.height = bitmap.height;
    this.#canvas.style.width = `${view.width}px`;
    this.#canvas.style.height = `${view.height}px`;
    this.#context?.transferFromImageBitmap(bitmap);
    this.#shown = view;
    this.#place();
    if (view.id !== this.#asked?.id) return;
    this.#asked = null;
    if (!this.#isHeld) this.#canvas.dataset['painted'] = ''; // for whoever waits for it
    this.#settle();
  }

  #settle(): void {
    for (const settled of this.#waiting.splice(0)) settled();
  }

  /** What is seen where the zoom ends is painted while the map moves there. */
  #zoomBegins({ center, zoom }: L.ZoomAnimEvent): void {
    this.#target = { center, zoom };
    this.#place();
    this.#ask();
  }

  #zoomEnds(): void {
    this.#target = null;
    const late = this.#late;
    this.#late = null;
    if (late !== null) this.#show(late);
    this.#place();
  }

  /** Puts what was painted where it belongs on the map as it is now, or will be where a zoom ends. */
  #place(): void {
    if (this.#shown === null) return;
    const { x, y, zoom } = this.#shown;
    const to = this.#target?.zoom ?? this._map.getZoom();
    const scale = this._map.getZoomScale(to, zoom);
    const origin = this.#target === null ? this._map.getPixelOrigin() : this.#originAt(this.#target);
    L.DomUtil.setTransform(this.#canvas, L.point(x, y).multiplyBy(scale).subtract(origin), scale);
  }

  /** The pixel origin that Leaflet will have. */
  #originAt({ center, zoom }: { center: L.LatLng; zoom: number }): L.Point {
    const moved = L.DomUtil.getPosition(this._map.getPane('mapPane') as HTMLElement); // each map has one
    return this._map.project(center, zoom).subtract(this._map.getSize().divideBy(2)).add(moved).round();
  }

  /** Whether what was painted fills the view, with half of the margin left to move on while it is painted anew. */
  #covers(): boolean {
    if (this.#shown === null || this.#shown.zoom !== this._map.getZoom()) return true;
    const { x, y, width, height } = this.#shown;
    const { min, max } = this._map.getPixelBounds();
    if (min === undefined || max === undefined) return true;
    const size = this._map.getSize();
    const spare = { x: (width - size.x) / 4, y: (height - size.y) / 4 };
    return (
      min.x - spare.x >= x && min.y - spare.y >= y && max.x + spare.x <= x + width && max.y + spare.y <= y + height
    );
  }
}

function isSame(a: PaintView, b: PaintView | null): boolean {
  return b !== null && (['zoom', 'x', 'y', 'width', 'height', 'ratio'] as const).every((key) => a[key] === b[key]);
}

import type { MapSketch } from '../../server/contract/design.ts';
import type { Feature, FeatureType } from '../../server/contract/overlay.ts';
import { boundsOfBox, FeatureLayers } from './feature-layers.ts';
import type { Position } from './geometry.ts';
import { LandLayer, landMaxZoom } from './land-layer.ts';
import type { TypeLayer } from './layer-settings.ts';
import { L } from './leaflet.ts';
import { darkLook, lightLook, type HouseAlarm, type MapLook } from './look.ts';
import { mapPicture, tilesShown, type MapPictureText } from './map-picture.ts';
import { MetricGrid } from './metric-grid.ts';
import { NameLabels } from './name-labels.ts';
import { positionOf } from './outline.ts';
import type { LayerBox, OutsideCrs, OutsideLayer, OutsideState, MapBox } from './outside-layer.ts';
import { boxAround, OutsideLayers } from './outside-layers.ts';
import { PreviewHandles, type PreviewHandle } from './preview-handles.ts';
import { PreviewLines, type PreviewLine } from './preview-lines.ts';
import { startPainter } from './shapes/shape-canvas.ts';
import { boxShown, fitClear, keepClear, metresPerPixel, panClear, type Covered } from './sight.ts';
import type { MapAppearance, SiteMapListener, View } from './site-map-port.ts';
import { extentOf, piecesOf } from './sketch.ts';
import { ToolHand } from './tool-hand.ts';
import { vertexIcon } from './vertex-icon.ts';

const maxZoom = 24;
/** A popup beside a point needs a map as wide as this, px. */
const leastPopupMap_px = 600;

interface SiteMapOptions {
  appearance: MapAppearance;
  listener: SiteMapListener;
  /** Of `startPainter`, where one was started ahead; ended with the map. */
  painter?: Worker | undefined;
}

/** The one adapter to Leaflet: a base without internet, features, drawing and editing. Destroy it when done. */
export class SiteMap {
  readonly hand: ToolHand;
  readonly #map: L.Map;
  readonly #listener: SiteMapListener;
  readonly #land: LandLayer;
  readonly #grid: MetricGrid;
  readonly #features: FeatureLayers;
  readonly #labels: NameLabels;
  #look: MapLook;
  #lookOfScreen: MapLook;
  /** Images in light colours being made: a change of the screen meanwhile is shown after the last of them. */
  #pictures = 0;
  #selected: readonly string[] = [];
  #unit_m = 1;
  #scale: L.Control.Scale | undefined;
  #attribution: string | undefined;
  #isMoving = false;
  readonly #waiting: (() => void)[] = [];
  #pin: L.Marker | undefined;
  #outside: OutsideLayers | undefined;
  #preview: PreviewLines | undefined;
  #handles: PreviewHandles | undefined;

  constructor(element: HTMLElement, view: View, options: SiteMapOptions) {
    const { appearance, listener, painter = startPainter() } = options;
    this.#listener = listener;
    this.#look = appearance.isDark ? darkLook : lightLook;
    this.#lookOfScreen = this.#look;
    const isAnimated = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#map = L.map(element, {
      renderer: L.canvas({ padding: 0.5, tolerance: 4 }),
      zoomControl: false,
      minZoom: 2,
      maxZoom,
      maxBounds: [
        [-86, -540],
        [86, 540],
      ],
      zoomAnimation: isAnimated,
      fadeAnimation: isAnimated,
    }).setView([view.lat, view.lng], Math.min(view.zoom, maxZoom));
    element.setAttribute('role', 'application');
    this.#land = new LandLayer(this.#look).addTo(this.#map);
    this.#grid = new MetricGrid(this.#map.getCenter(), this.#look, { metres: appearance.unit_m }).addTo(this.#map);
    this.#features = new FeatureLayers(this.#map, {
      look: this.#look,
      painter,
      clicked: (id, event) => this.#clicked(id, event),
      device: (feature) => listener.device?.(feature) ?? { kind: 'gone', value: '' },
    });
    this.#labels = new NameLabels(this.#map, this.#features);
    this.hand = new ToolHand(this.#map, this.#features, { listener, look: () => this.#look });
    this.#listen();
    this.setAppearance(appearance);
    this.#rested();
  }

  destroy(): void {
    this.hand.stop();
    this.#map.remove();
  }

  setAppearance({ isDark, unit_m, attribution, label }: MapAppearance): void {
    this.#unit_m = unit_m;
    this.#map.getContainer().setAttribute('aria-label', label);
    if (this.#attribution !== undefined) this.#map.attributionControl.removeAttribution(this.#attribution);
    this.#map.attributionControl.addAttribution(attribution);
    this.#attribution = attribution;
    this.#lookOfScreen = isDark ? darkLook : lightLook;
    if (this.#pictures === 0) this.#setLook(this.#lookOfScreen);
    this.#scale?.remove();
    this.#scale = L.control.scale({ metric: unit_m === 1, imperial: unit_m !== 1, position: 'bottomleft' });
    this.#scale.addTo(this.#map);
    this.#rested();
  }

  /** The visible area, within one world. */
  get box(): MapBox {
    return boxShown(this.#map);
  }

  get view(): View {
    const centre = this.#map.getCenter().wrap();
    return { lat: centre.lat, lng: centre.lng, zoom: this.#map.getZoom() };
  }

  /** The place of the pixel in the middle: the same again when the map comes back to it. */
  get middle(): Position {
    return positionOf(this.#map.containerPointToLatLng(this.#map.getSize().divideBy(2).round()));
  }

  /** Runs this once the map rests, at once where it does, after all that waits for that already. */
  onceAtRest(run: () => void): void {
    this.#waiting.push(run);
    this.#runWaiting();
  }

  /** Whether something waits for the map to rest. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Shows these features and nothing else; `fits` moves to where they are before anything is drawn. */
  showAll(features: readonly Feature[], { fits = false } = {}): void {
    this.#features.replaceAll(features, () => {
      if (fits) this.fit(false);
      this.#features.follow();
      this.#labels.refresh();
    });
  }

  /**
   * Shows what stands for the features of a large map until `showAll` has them, and moves there; resolves once it is
   * seen.
   */
  async showSketch(sketch: MapSketch): Promise<void> {
    const pieces = piecesOf(sketch);
    const extent = extentOf(pieces);
    this.#features.showSketch(pieces);
    if (extent !== null) this.#fitTo(boundsOfBox(extent), false);
    await this.#features.seen();
  }

  /** Brings the features of these ids up to date. */
  show(ids: readonly string[], find: (id: string) => Feature | undefined): void {
    this.#features.show(ids, find);
    this.hand.changed(ids, find);
    this.#labels.refresh();
  }

  /** Shows exactly these from outside services, and reports how each loads. */
  showOutside(layers: readonly OutsideLayer[], changed: (id: string, state: OutsideState) => void): void {
    this.#outside ??= new OutsideLayers(this.#map, changed);
    this.#outside.show(layers, this.#look);
  }

  /** Shows lines that are not on the map yet, in place of those before. */
  showPreview(lines: readonly PreviewLine[]): void {
    this.#preview ??= new PreviewLines(this.#map);
    this.#preview.show(lines, this.#look);
  }

  /** Shows places that can be dragged, in place of those before. */
  showHandles(handles: readonly PreviewHandle[]): void {
    this.#handles ??= new PreviewHandles(this.#map);
    this.#handles.show(handles);
  }

  setAlarms(alarms: ReadonlyMap<string, HouseAlarm>): void {
    this.#features.setAlarms(alarms);
    this.#labels.refresh();
  }

  /** Names of houses, by the shape that each stands on: shown in place of the name of the shape. */
  setHouseNames(names: ReadonlyMap<string, string>): void {
    this.#labels.setHouseNames(names);
  }

  /** As its label has it. */
  nameOf(feature: Feature): string {
    return this.#labels.nameOf(feature);
  }

  /** How the features of each type are shown, from the lowest to the highest. */
  setLayers(layers: readonly TypeLayer[]): void {
    this.#features.setLayers(layers);
    this.#labels.refresh();
  }

  /** Shows the features of these ids alone; null shows everything. */
  showOnly(ids: ReadonlySet<string> | null): void {
    this.#features.showOnly(ids);
    this.#labels.refresh();
  }

  /** Shows this one, even if filtered or hidden. */
  keepShown(id: string): void {
    this.#features.keepShown(id);
  }

  refreshDevices(): void {
    this.#features.refreshDevices();
  }

  select(ids: readonly string[]): void {
    this.#selected = ids;
    this.#features.select(ids);
    this.#labels.refresh();
    this.hand.selected(ids);
  }

  /** Features that are neither hidden nor filtered out, in view or not. */
  idsVisible(): string[] {
    return this.#features.idsVisible();
  }

  /** Features that lie wholly within two opposite corners. */
  idsWithin([aLng = 0, aLat = 0]: Position, [bLng = 0, bLat = 0]: Position): string[] {
    return this.#features.idsWithin(L.latLngBounds([aLat, aLng], [bLat, bLng]));
  }

  /**
   * Opens the element beside a point feature for the page to fill; on a map too narrow for it the form has the same.
   */
  openPopup(id: string): void {
    const layer = this.#features.marker(id);
    if (layer === undefined || this.#map.getSize().x < leastPopupMap_px) return;
    const element = document.createElement('div');
    const popup = L.popup({ minWidth: 290, maxWidth: 340, autoPanPadding: [24, 24], offset: [0, -14] })
      .setLatLng(layer.getLatLng())
      .setContent(element)
      .openOn(this.#map);
    keepClear(this.#map, popup, element);
    this.#listener.popup?.({ id, element });
  }

  closePopup(): void {
    this.#map.closePopup();
  }

  /** Marks one place, as in the set-up, and moves there when it is out of sight. */
  pin(place: { lat: number; lng: number } | null): void {
    this.#pin?.remove();
    this.#pin = undefined;
    if (place === null) return;
    const icon = vertexIcon('place');
    this.#pin = L.marker(place, { icon, interactive: false, keyboard: false }).addTo(this.#map);
    if (!this.#map.getBounds().contains(place)) this.#map.panTo(place);
  }

  goTo(id: string): void {
    const bounds = this.#features.boundsOf(id);
    if (bounds !== undefined) this.#map.fitBounds(bounds.pad(0.4), { maxZoom: 20 });
  }

  /** Brings a feature into the part of the map that nothing lies over, also where a form has just narrowed it. */
  bringIntoSight(id: string, covered: Covered): void {
    const place = this.#features.marker(id)?.getLatLng();
    const bounds = place === undefined ? this.#features.boundsOf(id) : L.latLngBounds([place]);
    if (bounds === undefined) return;
    this.resized();
    panClear(this.#map, bounds, covered);
  }

  /** Moves only where a position is out of sight. */
  bringAllIntoSight(positions: readonly (readonly number[])[], covered: Covered = {}): void {
    fitClear(this.#map, positions, covered);
  }

  /** Moves to where all is. */
  fit(animate = true): void {
    const bounds = this.#features.bounds();
    if (bounds !== undefined) this.#fitTo(bounds, animate);
  }

  /** Types in view that are not hidden, with the opacity of each. */
  typesInView(): Map<FeatureType, number> {
    return this.#features.typesInView();
  }

  areasInView(): Feature[] {
    return this.#features.areasInView();
  }

  /** The present screen as an image, with what a map on paper needs. */
  pictured(text: MapPictureText): HTMLCanvasElement {
    return mapPicture(
      {
        container: this.#map.getContainer(),
        metresPerPixel: metresPerPixel(this.#map),
        attribution: this.#map.attributionControl.getContainer()?.textContent ?? '',
      },
      { ...text, unit_m: this.#unit_m },
    );
  }

  /** The same in light colours, in either theme, with nothing selected. */
  async picture(text: MapPictureText): Promise<HTMLCanvasElement> {
    this.#features.select([]);
    try {
      return await this.#picturedInLight(text);
    } finally {
      this.#features.select(this.#selected);
    }
  }

  async #picturedInLight(text: MapPictureText): Promise<HTMLCanvasElement> {
    if (this.#lookOfScreen === lightLook && this.#look === lightLook) {
      await this.#features.seen();
      return this.pictured(text);
    }
    const container = this.#map.getContainer();
    this.#pictures += 1;
    container.classList.add('v-theme--light');
    if (this.#pictures === 1) this.#setLook(lightLook);
    try {
      await Promise.all([tilesShown(container), this.#features.seen()]);
      return this.pictured(text);
    } finally {
      this.#pictures -= 1;
      if (this.#pictures === 0) {
        container.classList.remove('v-theme--light');
        this.#setLook(this.#lookOfScreen);
      }
    }
  }

  setView(view: View): void {
    this.#map.setView([view.lat, view.lng], view.zoom);
  }

  zoomBy(steps: number): void {
    this.#map.setZoom(this.#map.getZoom() + steps);
  }

  /** Where on the earth a mouse event happened, e.g. a drop. */
  placeOf(event: MouseEvent): { lat: number; lng: number } {
    return this.#map.mouseEventToLatLng(event).wrap();
  }

  /** The WMS query for a place, at the present scale. */
  boxAround(place: { lat: number; lng: number }, crs: OutsideCrs): LayerBox {
    return boxAround(this.#map, place, crs);
  }

  /** The element's size changed. */
  resized(): void {
    this.#map.invalidateSize({ pan: false });
  }

  #fitTo(bounds: L.LatLngBounds, animate: boolean): void {
    this.#map.fitBounds(bounds.pad(0.1), { maxZoom: 20, ...(!animate && { animate }) });
  }

  #setLook(look: MapLook): void {
    this.#look = look;
    const { style } = this.#map.getContainer();
    style.setProperty('--map-water', look.water);
    style.setProperty('--map-paper', look.paper);
    this.#land.setLook(look);
    this.#grid.setLook(look, { metres: this.#unit_m });
    this.#features.setLook(look);
    this.#labels.refresh();
    this.#preview?.show(this.#preview.lines, look);
    this.#outside?.setLook(look);
  }

  #listen(): void {
    this.#map.on('click', (event: L.LeafletMouseEvent) => this.#clicked(this.#features.at(event.latlng), event));
    this.#map.on('movestart', () => (this.#isMoving = true));
    this.#map.on('moveend', () => this.#rested()); // also after each zoom
    this.#map.on('mousemove', (event: L.LeafletMouseEvent) => this.#listener.pointer?.(event.latlng.wrap()));
    this.#map.on('mouseout', () => this.#listener.pointer?.(null));
    this.#map.on('popupclose', () => this.#listener.popup?.(null));
  }

  #clicked(id: string | null, { latlng, originalEvent }: L.LeafletMouseEvent): void {
    if (!this.hand.leavesClicks) return;
    const adds = originalEvent.shiftKey || originalEvent.ctrlKey || originalEvent.metaKey;
    if (this.#listener.clicked?.(latlng.wrap()) !== true) this.#listener.selected?.(id, adds);
  }

  #rested(): void {
    this.#isMoving = false;
    const zoom = this.#map.getZoom();
    const isClose = zoom > landMaxZoom;
    this.#map.getContainer().classList.toggle('is-close', isClose);
    if (isClose) this.#grid.follow(this.#map.getCenter());
    this.#features.follow();
    this.hand.rested();
    this.#labels.refresh();
    this.#listener.moved?.(this.view, isClose ? this.#grid.step_m(zoom) : null);
    this.#runWaiting();
  }

  #runWaiting(): void {
    while (!this.#isMoving && this.hasWaiting) this.#waiting.shift()?.();
  }
}

import type { Feature } from '../../server/contract/overlay.ts';
import { DragGesture, type DragCursor, type DragPort } from './drag-gesture.ts';
import { startDrawing } from './drawing.ts';
import type { Drawing, DrawTool } from './drawing-port.ts';
import { idOf } from './edit-buffer.ts';
import type { FeatureLayers } from './feature-layers.ts';
import type { Position } from './geometry.ts';
import type { L } from './leaflet.ts';
import type { MapLook } from './look.ts';
import type { SiteMapListener } from './site-map-port.ts';
import { ToolGuide } from './tool-guide.ts';
import { VertexEditing } from './vertex-editing.ts';

interface ToolHandOptions {
  listener: Pick<SiteMapListener, 'progress' | 'drawn' | 'refused' | 'reshaped' | 'crowded'>;
  look: () => MapLook;
}

/**
 * The tool in the hand: a drawing, a drag of the map's shapes, or the corners of one of them. There is one at a time.
 */
export class ToolHand {
  readonly #map: L.Map;
  readonly #features: FeatureLayers;
  readonly #listener: ToolHandOptions['listener'];
  readonly #look: () => MapLook;
  readonly #guide: ToolGuide;
  #drawing: Drawing | undefined;
  #dragging: DragGesture | undefined;
  #editing: { id: string; handles: VertexEditing } | undefined;
  /** The click that ends a drawing comes after its end, and must not select anything. */
  #isDrawingsClick = false;

  constructor(map: L.Map, features: FeatureLayers, { listener, look }: ToolHandOptions) {
    this.#map = map;
    this.#features = features;
    this.#listener = listener;
    this.#look = look;
    this.#guide = new ToolGuide(map, { shapes: () => features.drawn(), corners: () => this.corners });
    map.getContainer().addEventListener('pointerdown', () => (this.#isDrawingsClick = false), { capture: true });
  }

  /** Whether a click is for the map itself. */
  get leavesClicks(): boolean {
    return this.#drawing === undefined && this.#dragging === undefined && !this.#isDrawingsClick;
  }

  draw(tool: DrawTool, options: { isTouch: boolean; crossesText: string }): void {
    this.stop();
    this.#map.closePopup();
    this.#map.getContainer().classList.add('is-drawing', 'is-placing');
    this.#map.doubleClickZoom.disable();
    this.#guide.begin();
    this.#drawing = startDrawing(
      this.#map,
      {
        progress: (positions) => this.#listener.progress?.(positions),
        finished: (geometry) => {
          this.#isDrawingsClick = true;
          this.#listener.drawn?.(geometry);
        },
        refused: () => this.#listener.refused?.(),
      },
      { ...options, tool, look: this.#look() },
    );
  }

  /**
   * Takes hold of the map with mouse or finger, in place of moving it; `inHand` are the ids of shapes that it moves.
   */
  drag(port: DragPort, cursor: DragCursor, inHand: readonly string[] = []): void {
    this.stop();
    this.#map.closePopup();
    if (cursor === 'crosshair') this.#map.getContainer().classList.add('is-placing');
    this.#guide.begin(inHand);
    this.#dragging = new DragGesture(
      this.#map,
      {
        moved: port.moved,
        ended: (from, to) => {
          this.#isDrawingsClick = true;
          port.ended(from, to);
        },
      },
      cursor,
    );
  }

  /** Takes the corners of a shape into the hand. */
  edit(feature: Feature): void {
    this.stop();
    const id = idOf(feature);
    this.#guide.begin([id]);
    const handles = new VertexEditing(this.#map, feature.geometry, {
      snapped: (place) => this.#guide.snapped(place),
      moving: (geometry) => this.#features.preview(id, geometry),
      changed: (geometry) => this.#listener.reshaped?.(id, geometry) ?? false,
      crowded: () => this.#listener.crowded?.(),
    });
    this.#editing = { id, handles };
  }

  /** Lays the tool down. */
  stop(): void {
    this.#drawing?.stop();
    this.#drawing = undefined;
    this.#dragging?.stop();
    this.#dragging = undefined;
    this.#map.getContainer().classList.remove('is-drawing', 'is-placing');
    // The tap that ended a shape may be the second of a double tap, which Leaflet reports afterwards.
    setTimeout(() => this.#drawing ?? this.#map.doubleClickZoom.enable());
    this.#guide.end();
    this.#stopEditing();
  }

  /** Whether tools are drawn to the corners and sides of other shapes. */
  setSnapping(snaps: boolean): void {
    this.#guide.setSnapping(snaps);
  }

  /** Whether each side that is drawn lies square to the one before it, or along it. */
  setSquare(isSquare: boolean): void {
    this.#guide.isSquare = isSquare;
  }

  /** The view came to rest: what tools are drawn to is found anew. */
  rested(): void {
    this.#guide.renew();
  }

  /** Sets a corner of the drawing at coordinates given in numbers. */
  addCorner(position: Position): void {
    this.#drawing?.addCorner(position);
    const [lng = 0, lat = 0] = position;
    this.#map.panInside([lat, lng], { padding: [40, 40] });
  }

  /** Corners of the drawing that are set already. */
  get corners(): readonly Position[] {
    return this.#drawing?.corners ?? [];
  }

  finishDrawing(): void {
    this.#drawing?.finish();
  }

  removeLastCorner(): void {
    this.#drawing?.removeLast();
  }

  /** The features of these ids have changed: the corners in the hand follow, or are laid down with their shape. */
  changed(ids: readonly string[], find: (id: string) => Feature | undefined): void {
    if (this.#editing === undefined || !ids.includes(this.#editing.id)) return;
    const feature = find(this.#editing.id);
    if (feature === undefined) this.stop();
    else this.#editing.handles.setGeometry(feature.geometry);
  }

  /** Only a shape that is selected has its corners in the hand. */
  selected(ids: readonly string[]): void {
    if (this.#editing !== undefined && !ids.includes(this.#editing.id)) this.#stopEditing();
  }

  #stopEditing(): void {
    if (this.#editing !== undefined) this.#guide.end();
    this.#editing?.handles.stop();
    this.#editing = undefined;
    this.#features.endPreview();
  }
}

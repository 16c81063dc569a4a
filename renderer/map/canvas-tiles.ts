import { L } from './leaflet.ts';

/** Tiles that are drawn here, at the scales that the layer is for. */
export abstract class CanvasTiles extends L.GridLayer {
  /** Leaflet's own takes up a scale that the layer is not for, and draws its tiles there at every move from then on. */
  override redraw(): this {
    const { minZoom = 0, maxZoom = Infinity } = this.options as L.GridLayerOptions; // of the constructor
    const zoom = (this._map as L.Map | undefined)?.getZoom() ?? -1; // a layer has no map before it is added
    return zoom >= minZoom && zoom <= maxZoom ? super.redraw() : this;
  }

  /** An empty tile, on a canvas that is no longer used if there is one, and what draws on it in CSS px. */
  protected blankTile(canvas = document.createElement('canvas')): {
    canvas: HTMLCanvasElement;
    context: CanvasRenderingContext2D | null;
  } {
    const { x, y } = this.getTileSize();
    canvas.width = x * devicePixelRatio;
    canvas.height = y * devicePixelRatio;
    const context = canvas.getContext('2d');
    context?.scale(devicePixelRatio, devicePixelRatio);
    return { canvas, context };
  }
}

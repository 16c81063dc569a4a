import type { Geometry } from '../../server/contract/overlay.ts';
import type { Position } from './geometry.ts';
import type { MapLook } from './look.ts';

/** `measure` draws a path that is not kept. */
export type DrawTool = 'polygon' | 'rectangle' | 'circle' | 'line' | 'marker' | 'measure';

/** Tools whose corners are set one by one until the user finishes. */
export const cornerTools: readonly DrawTool[] = ['polygon', 'line', 'measure'];

/** Corners without which there is no shape. */
export const leastCorners = (tool: DrawTool): number => (tool === 'polygon' ? 3 : 2);

export interface DrawingPort {
  /** Corners so far; last the pointer's place, if there is one. */
  progress(positions: Position[]): void;
  finished(geometry: Geometry): void;
  /** The outline would cross itself and was not taken. */
  refused(): void;
}

/** Operations on a running drawing. */
export interface Drawing {
  /** Those that are set. */
  readonly corners: readonly Position[];
  /** Sets one by its place; does nothing where the mouse drags. */
  addCorner(position: Position): void;
  finish(): void;
  removeLast(): void;
  stop(): void;
}

export interface DrawingOptions {
  tool: DrawTool;
  look: MapLook;
  /** Drawn with a finger: leaflet-draw cannot. */
  isTouch: boolean;
  crossesText: string;
}

import type { Feature, Geometry } from '../../server/contract/overlay.ts';
import type { PlacedDevice } from './point-marks.ts';
import type { Position } from './geometry.ts';

export interface View {
  lat: number;
  lng: number;
  zoom: number;
}

export interface MapAppearance {
  isDark: boolean;
  /** Length of the unit that distances are shown in, in m. */
  unit_m: number;
  attribution: string;
  /** Of the map itself, for screen readers. */
  label: string;
}

export interface SiteMapListener {
  /** Returns whether the click was handled; otherwise it selects what is there. */
  clicked?(place: { lat: number; lng: number }): boolean;
  /** `adds`: to the selection, or removes from it. */
  selected?(id: string | null, adds: boolean): void;
  progress?(positions: Position[]): void;
  drawn?(geometry: Geometry): void;
  /** A drawn outline crosses itself and was not taken. */
  refused?(): void;
  /** Answers whether the change is taken. */
  reshaped?(id: string, geometry: Geometry): boolean;
  /** More corners of the shape in the hand are in view than can be dragged: they are hidden until one comes nearer. */
  crowded?(): void;
  pointer?(place: { lat: number; lng: number } | null): void;
  /** The view came to rest; the grid's spacing in m, null where there is none. */
  moved?(view: View, grid_m: number | null): void;
  /** An element was opened beside a feature for the page to fill, or closed. */
  popup?(opened: { id: string; element: HTMLElement } | null): void;
  device?(feature: Feature): PlacedDevice;
}

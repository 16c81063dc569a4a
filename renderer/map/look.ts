import type { FeatureType, Geometry } from '../../server/contract/overlay.ts';

/** Colours of the canvas layers, which cannot read style sheets. */
export interface MapLook {
  water: string;
  land: string;
  border: string;
  paper: string;
  gridMinor: string;
  gridMajor: string;
  ink: string;
  accent: string;
  /** Colours of a house with such an alarm, from the theme. */
  alarm: Record<HouseAlarm, string>;
}

/** What gives a house a colour. */
export type HouseAlarm = 'warning' | 'emergency';

export const lightLook: MapLook = {
  water: '#cfd6db',
  land: '#eef0f0',
  border: '#b9c0c5',
  paper: '#eef0f0',
  gridMinor: '#dde1e3',
  gridMajor: '#c6ccd0',
  ink: '#44525d',
  accent: '#1f4e79',
  alarm: { warning: '#8a5300', emergency: '#b3201a' },
};

export const darkLook: MapLook = {
  water: '#12171b',
  land: '#232a2f',
  border: '#3d474e',
  paper: '#1b2024',
  gridMinor: '#252c31',
  gridMajor: '#353e45',
  ink: '#b6c2cb',
  accent: '#a9d0f5',
  alarm: { warning: '#f2b544', emergency: '#ff7a6b' },
};

interface Drawn {
  weight: number;
  fill: number;
  /** Lengths of dashes and gaps, px. */
  dash?: readonly number[];
  /** Lower lies beneath. */
  rank: number;
}

/** Types differ by line and shade of grey, never by hue: colour is reserved for what is abnormal. */
const drawn: Record<FeatureType, Drawn> = {
  site: { weight: 2, fill: 0.04, dash: [10, 6], rank: 0 },
  zone: { weight: 1.5, fill: 0.08, dash: [3, 5], rank: 1 },
  reference: { weight: 1, fill: 0.03, dash: [2, 4], rank: 2 },
  infrastructure: { weight: 1.5, fill: 0.16, dash: [6, 3, 2, 3], rank: 3 },
  facility: { weight: 2, fill: 0.3, rank: 4 },
  bay: { weight: 1, fill: 0.14, rank: 5 },
  equipment: { weight: 1.5, fill: 0.4, rank: 6 },
  pipe: { weight: 3, fill: 0, rank: 7 },
  connection: { weight: 1.5, fill: 0, dash: [4, 4], rank: 8 },
  label: { weight: 1, fill: 0, rank: 9 },
  device: { weight: 1.5, fill: 0.3, rank: 10 },
};

export function rankOf(type: FeatureType): number {
  return drawn[type].rank;
}

/** Of an outline or line; opacities from 0 to 1. */
export interface OutlineStyle {
  color: string;
  opacity: number;
  weight: number;
  fillColor: string;
  fillOpacity: number;
  /** Lengths of dashes and gaps, px. */
  dash: readonly number[];
}

export interface OutlineState {
  isSelected: boolean;
  alarm?: HouseAlarm | undefined;
  /** Of its layer. */
  opacity?: number;
}

export function outlineStyle(
  type: FeatureType,
  look: MapLook,
  { isSelected, alarm, opacity = 1 }: OutlineState,
): OutlineStyle {
  const { weight, fill, dash = [] } = drawn[type];
  const usual = alarm === undefined ? look.ink : look.alarm[alarm];
  // Faults are never faded.
  const seen = isSelected || alarm !== undefined ? 1 : opacity;
  return {
    color: isSelected ? look.accent : usual,
    opacity: seen,
    weight: isSelected || alarm !== undefined ? weight + 1.5 : weight,
    fillColor: isSelected && alarm === undefined ? look.accent : usual,
    fillOpacity: isSelected ? fill + 0.05 : fill * seen,
    dash,
  };
}

/** Types that a shape of this kind may have when it is drawn, the usual one first. */
export function typesFor(geometry: Geometry['type']): FeatureType[] {
  if (geometry === 'Point') return ['label', 'equipment', 'infrastructure', 'reference'];
  if (geometry === 'LineString') return ['pipe', 'connection', 'infrastructure', 'reference'];
  return ['facility', 'site', 'zone', 'bay', 'equipment', 'infrastructure', 'reference'];
}

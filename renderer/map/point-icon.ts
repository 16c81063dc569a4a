import {
  mdiAccessPoint,
  mdiCogOutline,
  mdiHelpRhombusOutline,
  mdiMapMarkerOutline,
  mdiPower,
  mdiThermometer,
  mdiTransmissionTower,
} from '@mdi/js';
import type { Feature, FeatureType } from '../../server/contract/overlay.ts';
import { L } from './leaflet.ts';

export type PlacedKind = 'input' | 'output' | 'other' | 'gone';

const deviceIcons: Record<PlacedKind, string> = {
  input: mdiThermometer,
  output: mdiPower,
  other: mdiAccessPoint,
  gone: mdiHelpRhombusOutline,
};

const typeIcons: Partial<Record<FeatureType, string>> = {
  equipment: mdiCogOutline,
  infrastructure: mdiTransmissionTower,
};

export interface PointLook {
  isSelected: boolean;
  /** Of a placed device. */
  kind: PlacedKind;
  /** Its live value, shown beside it; empty for none. */
  value: string;
  /** Why it is not to be relied on; empty or absent while it is. */
  stale?: string;
}

const svgSpace = 'http://www.w3.org/2000/svg';

function drawing(path: string): SVGSVGElement {
  const svg = document.createElementNS(svgSpace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.append(document.createElementNS(svgSpace, 'path'));
  svg.firstElementChild?.setAttribute('d', path);
  return svg;
}

/** A label is its text; anything else is a round or square mark with a picture of what it is. */
export function pointIcon(feature: Feature, look: PointLook): L.DivIcon {
  const { type, name } = feature.properties;
  const element = document.createElement('div');
  if (type === 'label') {
    element.className = 'map-text';
    element.textContent = name === '' ? 'T' : name;
    return L.divIcon({ html: element, className: '', iconSize: [0, 0], iconAnchor: [0, 9] });
  }
  element.className = `map-point ${type === 'device' ? '' : 'map-point--square'}`;
  element.classList.toggle('map-point--selected', look.isSelected);
  element.classList.toggle('map-point--stale', (look.stale ?? '') !== '');
  if (look.stale) element.title = look.stale;
  element.append(drawing(type === 'device' ? deviceIcons[look.kind] : (typeIcons[type] ?? mdiMapMarkerOutline)));
  const value = document.createElement('span');
  value.className = 'map-point__value';
  value.textContent = look.value;
  element.append(value);
  return L.divIcon({ html: element, className: '', iconSize: [30, 30], iconAnchor: [15, 15], popupAnchor: [0, -16] });
}

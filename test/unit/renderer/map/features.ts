import type { Feature } from '../../../../server/contract/overlay.ts';

/** A named square of a hundredth of a degree, its id made of one digit. */
export function square(digit: number, name = `shape ${digit}`): Feature {
  const unique_id = `00000000-0000-4000-8000-00000000000${digit}`;
  const at = digit / 10;
  const ring = [
    [at, 0],
    [at + 0.01, 0],
    [at + 0.01, 0.01],
    [at, 0.01],
    [at, 0],
  ];
  return {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: { type: 'zone', name, unique_id },
  };
}

export function renamed(feature: Feature, name: string): Feature {
  return { ...feature, properties: { ...feature.properties, name } };
}

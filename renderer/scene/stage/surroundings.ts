import {
  BufferGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
} from 'three';
import type { AirField } from '../air-field.ts';
import { baysOf, type Outline } from '../bays.ts';
import { add, times, type Primitive, type Vec } from '../part.ts';
import { reachOf, weatherPlaces, type Weather } from '../weather.ts';
import { lineOf, materialOf, type Palette } from './look.ts';
import { geometryOf } from './mesh.ts';

/** The land with a grid of ten metres, and the floors. */
export function groundObject(outline: Outline, palette: Palette): Group {
  const group = new Group();
  const half = Math.ceil((reachOf(outline) * 1.35) / 10) * 10;
  const land = new Mesh(
    new PlaneGeometry(30 * half, 30 * half).rotateX(-Math.PI / 2).translate(0, -0.04, 0),
    new MeshBasicMaterial({ color: palette.isDark ? '#23292d' : '#dfe3dd' }),
  );
  land.renderOrder = -2;
  const points: number[] = [];
  const every = half > 200 ? 50 : 10;
  for (let at = -half; at <= half; at += every) points.push(-half, 0, at, half, 0, at, at, 0, -half, at, 0, half);
  const grid = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
  group.add(land, new LineSegments(grid.translate(0, -0.02, 0), lineOf(palette.quiet, 0.22)));
  const floors = baysOf(outline).map(({ left_m, right_m }): Primitive => ({
    kind: 'sheet',
    outline: [
      [left_m, 0, -outline.length_m / 2],
      [left_m, 0, outline.length_m / 2],
      [right_m, 0, outline.length_m / 2],
      [right_m, 0, -outline.length_m / 2],
    ],
  }));
  group.add(
    new Mesh(
      geometryOf(floors),
      new MeshBasicMaterial({ color: palette.isDark ? '#34342f' : '#c9c3b4', side: DoubleSide }),
    ),
  );
  return group;
}

/** Arrows on the ground to the north, and along the wind towards the house; the sun as a disc in its position. */
export function weatherObject(
  outline: Outline,
  front_deg: number,
  { weather, palette }: { weather: Weather; palette: Palette },
): Group {
  const group = new Group();
  const places = weatherPlaces(outline, front_deg, weather);
  const arrows: Primitive[] = arrow(places.north.from, places.north.to);
  group.add(new Mesh(geometryOf(arrows), materialOf({ color: palette.quiet, opacity: 1 })));
  if (places.wind !== null) {
    const along = arrow(places.wind.from, places.wind.to);
    group.add(new Mesh(geometryOf(along), materialOf({ color: palette.running, opacity: 0.9 })));
  }
  if (places.sun !== null) {
    const sun = new Mesh(
      geometryOf([
        { kind: 'disc', centre: [0, 0, 0], axis: [0, 0, 1], radius_m: Math.max(1, reachOf(outline) * 0.05) },
      ]),
      new MeshBasicMaterial({ color: '#e8b33a', side: DoubleSide }),
    );
    sun.position.set(...places.sun);
    sun.userData = { facesCamera: true };
    group.add(sun);
  }
  return group;
}

function arrow(from: Vec, to: Vec): Primitive[] {
  const way = add(to, times(from, -1));
  const side: Vec = [-way[2] * 0.28, 0, way[0] * 0.28];
  const neck = add(from, times(way, 0.55));
  const slim = times(side, 0.3);
  return [
    {
      kind: 'sheet',
      outline: [add(from, slim), add(from, times(slim, -1)), add(neck, times(slim, -1)), add(neck, slim)],
    },
    { kind: 'sheet', outline: [add(neck, side), add(neck, times(side, -1)), to, to] },
  ];
}

/** The air between the sensors as a coloured sheet above the crop. */
export function fieldObject(field: AirField, colorOf: (share: number) => string, height_m: number): Mesh {
  const shapes = field.cells.map(({ x, z, wide_m, long_m }): Primitive => ({
    kind: 'sheet',
    outline: [
      [x - wide_m / 2, height_m, z - long_m / 2],
      [x - wide_m / 2, height_m, z + long_m / 2],
      [x + wide_m / 2, height_m, z + long_m / 2],
      [x + wide_m / 2, height_m, z - long_m / 2],
    ],
  }));
  const geometry = geometryOf(shapes);
  const span = Math.max(1e-9, field.most - field.least);
  const colors = field.cells.flatMap(({ value }) => {
    const { r, g, b } = new Color(colorOf((value - field.least) / span));
    return Array.from({ length: 6 }, () => [r, g, b]).flat();
  });
  geometry.setAttribute('color', new Float32BufferAttribute(colors, 3));
  const material = new MeshBasicMaterial({ vertexColors: true, opacity: 0.72, transparent: true, side: DoubleSide });
  const mesh = new Mesh(geometry, material);
  mesh.renderOrder = 1;
  return mesh;
}

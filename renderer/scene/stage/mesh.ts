import { BufferGeometry, Float32BufferAttribute, ShapeUtils, Vector2, Vector3 } from 'three';
import type { Primitive, Vec } from '../part.ts';

const discSteps = 20;

/** One geometry of many shapes, without an index: every face has its own flat normal. */
export function geometryOf(shapes: readonly Primitive[]): BufferGeometry {
  const corners: number[] = [];
  const triangle = (a: Vec, b: Vec, c: Vec): void => void corners.push(...a, ...b, ...c);
  for (const shape of shapes) addShape(shape, triangle);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

type Triangle = (a: Vec, b: Vec, c: Vec) => void;

function addShape(shape: Primitive, triangle: Triangle): void {
  switch (shape.kind) {
    case 'sheet':
      return addSheet(shape, triangle);
    case 'bar':
      return addBar(shape, triangle);
    case 'box':
      return addBox(shape, triangle);
    case 'disc':
      return addDisc(shape, triangle);
  }
}

function addSheet({ outline, holes = [] }: Extract<Primitive, { kind: 'sheet' }>, triangle: Triangle): void {
  const [a, b, c, d] = outline;
  if (outline.length === 4 && holes.length === 0 && a && b && c && d) {
    triangle(a, b, c);
    triangle(a, c, d);
    return;
  }
  // The ends of a house are perpendicular to its length.
  const flat = (points: readonly Vec[]): Vector2[] => points.map(([x, y]) => new Vector2(x, y));
  const all = [outline, ...holes].flat();
  for (const [i = 0, j = 0, k = 0] of ShapeUtils.triangulateShape(flat(outline), holes.map(flat))) {
    const [p, q, r] = [all[i], all[j], all[k]];
    if (p && q && r) triangle(p, q, r);
  }
}

function addQuads(near: readonly Vec[], far: readonly Vec[], triangle: Triangle): void {
  for (const [index, a] of near.entries()) {
    const next = (index + 1) % near.length;
    const [b, c, d] = [near[next] ?? a, far[next] ?? a, far[index] ?? a];
    triangle(a, b, c);
    triangle(a, c, d);
  }
}

/** A prism of four sides without its ends. */
function addBar({ from, to, thick_m }: Extract<Primitive, { kind: 'bar' }>, triangle: Triangle): void {
  const [start, end] = [new Vector3(...from), new Vector3(...to)];
  const axis = end.clone().sub(start).normalize();
  const helper = Math.abs(axis.y) > 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const side = axis
    .clone()
    .cross(helper)
    .normalize()
    .multiplyScalar(thick_m / 2);
  const top = side
    .clone()
    .cross(axis)
    .normalize()
    .multiplyScalar(thick_m / 2);
  const ring = (at: Vector3): Vec[] =>
    [1, -1, -1, 1].map((a, index) => {
      const corner = at
        .clone()
        .addScaledVector(side, a)
        .addScaledVector(top, index < 2 ? 1 : -1);
      return [corner.x, corner.y, corner.z];
    });
  addQuads(ring(end), ring(start), triangle);
}

function addBox({ centre: [x, y, z], size: [w, h, d] }: Extract<Primitive, { kind: 'box' }>, triangle: Triangle): void {
  const level = (at: number): Vec[] => [
    [x - w / 2, at, z - d / 2],
    [x - w / 2, at, z + d / 2],
    [x + w / 2, at, z + d / 2],
    [x + w / 2, at, z - d / 2],
  ];
  const [low, high] = [level(y - h / 2), level(y + h / 2)];
  addQuads(low, high, triangle);
  addSheet({ kind: 'sheet', outline: high }, triangle);
}

function addDisc({ centre, axis, radius_m }: Extract<Primitive, { kind: 'disc' }>, triangle: Triangle): void {
  const isAlongX = Math.abs(axis[0]) > 0.5;
  const at = (step: number): Vec => {
    const angle = (2 * Math.PI * step) / discSteps;
    const [a, b] = [Math.cos(angle) * radius_m, Math.sin(angle) * radius_m];
    return isAlongX ? [centre[0], centre[1] + b, centre[2] + a] : [centre[0] + a, centre[1] + b, centre[2]];
  };
  for (let step = 0; step < discSteps; step += 1) triangle(centre, at(step), at(step + 1));
}

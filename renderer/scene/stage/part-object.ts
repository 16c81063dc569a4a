import {
  EdgesGeometry,
  Float32BufferAttribute,
  Group,
  LineSegments,
  Mesh,
  type BufferGeometry,
  type Material,
  type Object3D,
} from 'three';
import type { View3d } from '../../../server/contract/facility.ts';
import { drawnIn } from '../motion.ts';
import type { Part, PartState, Primitive } from '../part.ts';
import { lineOf, lookOf, materialOf, type Palette } from './look.ts';
import { geometryOf } from './mesh.ts';

export type RenderMode = View3d['render_mode'];

/** Faces that meet at less than this are drawn as one, degrees. */
const smooth_deg = 20;

/** A part as objects of the scene, named as the part. */
export function partObject(
  part: Part,
  state: PartState,
  { palette, mode }: { palette: Palette; mode: RenderMode },
): Group {
  const group = new Group();
  group.name = part.name === '' ? part.kind : `${part.kind} ${part.name}`;
  group.userData = { part: part.id };
  const { body, edges } = drawnIn(part.motion, state);
  const look = lookOf(part, state, palette);
  const asLines = mode === 'wireframe' || (mode === 'performance' && part.category === 'frame');
  const isGlass = part.category === 'covering';
  if (body.length > 0) {
    group.add(
      asLines ? lines(body, look.color) : solid(body, materialOf(look), isGlass ? 2 : look.opacity < 1 ? 1 : 0),
    );
  }
  const rim = state === 'unknown' ? palette.unknown : palette.quiet;
  if (edges.length > 0)
    group.add(asLines ? lines(edges, rim) : solid(edges, materialOf({ color: rim, opacity: 1 }), 0));
  return group;
}

/** Transparent parts are drawn after what is behind them. */
function solid(shapes: readonly Primitive[], material: Material, order: number): Mesh {
  const mesh = new Mesh(geometryOf(shapes), material);
  mesh.renderOrder = order;
  return mesh;
}

function lines(shapes: readonly Primitive[], color: string): LineSegments {
  const bars = shapes.filter((shape) => shape.kind === 'bar');
  const rest = geometryOf(shapes.filter((shape) => shape.kind !== 'bar'));
  const edges = new EdgesGeometry(rest, smooth_deg);
  rest.dispose();
  const points = [
    ...(edges.getAttribute('position')?.array ?? []),
    ...bars.flatMap(({ from, to }) => [...from, ...to]),
  ];
  edges.setAttribute('position', new Float32BufferAttribute(points, 3));
  return new LineSegments(edges, lineOf(color));
}

/** Frees what the graphics card holds of an object and all below it. */
export function disposeObject(object: Object3D): void {
  object.traverse((one) => {
    const { geometry, material } = one as { geometry?: BufferGeometry; material?: Material }; // of a mesh or lines
    geometry?.dispose();
    material?.dispose();
  });
}

import { add, cornersOf, lengthOf, times, type Motion, type Pane, type PartState, type Primitive } from './part.ts';

/** How far a vent swings when fully open, degrees. */
const widest_deg = 45;
const rail_m = 0.05;
const mostCrosses = 12;

/**
 * The look of a part in a state: its body, and the frame around an opening. An opening in an unknown state is neither
 * open nor closed: its frame is crossed out.
 */
export interface Drawn {
  body: Primitive[];
  edges: Primitive[];
}

export function drawnIn(motion: Motion, state: PartState): Drawn {
  const pct = typeof state === 'number' ? Math.min(100, Math.max(0, state)) : 0;
  if (state === 'unknown' && 'panes' in motion)
    return { body: motion.panes.flatMap(crossed), edges: motion.panes.flatMap(rim) };
  switch (motion.kind) {
    case 'fixed':
      return { body: [...motion.shapes], edges: [] };
    case 'switched':
      return { body: [...(pct > 0 ? motion.on : motion.off)], edges: [...motion.always] };
    case 'hinged':
      return { body: motion.panes.map((pane) => sheet(swung(pane, pct))), edges: motion.panes.flatMap(rim) };
    case 'rolled':
      return { body: motion.panes.flatMap((pane) => rolledUp(pane, pct)), edges: motion.panes.flatMap(rim) };
    case 'drawn':
      return {
        body: pct === 0 ? [] : motion.panes.map((pane) => sheet({ ...pane, reach: times(pane.reach, pct / 100) })),
        edges: motion.panes.flatMap(wires),
      };
  }
}

const sheet = (pane: Pane): Primitive => ({ kind: 'sheet', outline: cornersOf(pane) });

/** The pane turned about its edge to the outside. */
export function swung(pane: Pane, pct: number): Pane {
  const angle = ((widest_deg * pct) / 100) * (Math.PI / 180);
  const out = times(pane.outward, lengthOf(pane.reach) * Math.sin(angle));
  return { ...pane, reach: add(times(pane.reach, Math.cos(angle)), out) };
}

/** The film left hanging below the edge, and the roll at its end. */
function rolledUp(pane: Pane, pct: number): Primitive[] {
  const reach = times(pane.reach, 1 - pct / 100);
  const from = add(pane.corner, reach);
  const roll: Primitive = { kind: 'bar', from, to: add(from, pane.edge), thick_m: 0.06 + 0.001 * pct };
  return pct === 100 ? [roll] : [sheet({ ...pane, reach }), roll];
}

function rim(pane: Pane): Primitive[] {
  const corners = cornersOf(pane);
  return corners.map((from, index) => ({ kind: 'bar', from, to: corners[(index + 1) % 4] ?? from, thick_m: rail_m }));
}

/** Crosses along it, few where it is long. */
function crossed({ corner, edge, reach }: Pane): Primitive[] {
  const count = Math.min(mostCrosses, Math.max(1, Math.round(lengthOf(edge) / lengthOf(reach) / 3)));
  const step = times(edge, 1 / count);
  return Array.from({ length: count }, (_, at) => add(corner, times(step, at))).flatMap((from): Primitive[] => [
    { kind: 'bar', from, to: add(from, add(step, reach)), thick_m: rail_m },
    { kind: 'bar', from: add(from, step), to: add(from, reach), thick_m: rail_m },
  ]);
}

/** What a curtain runs on. */
function wires({ corner, edge, reach }: Pane): Primitive[] {
  return [corner, add(corner, edge)].map((from) => ({ kind: 'bar', from, to: add(from, reach), thick_m: 0.02 }));
}

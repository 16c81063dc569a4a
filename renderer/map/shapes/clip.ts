/** In px. */
export interface Frame {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * The part of a ring within a frame, x and y by turns: Sutherland and Hodgman 1974, "Reentrant polygon clipping". Where
 * the ring leaves the frame and comes back, the part runs along the frame's edge.
 */
export function clipRing(ring: readonly number[], { left, top, right, bottom }: Frame): number[] {
  const edges = [
    { axis: 0, limit: left, sign: 1 },
    { axis: 0, limit: right, sign: -1 },
    { axis: 1, limit: top, sign: 1 },
    { axis: 1, limit: bottom, sign: -1 },
  ] as const;
  return edges.reduce<readonly number[]>(clipByEdge, ring).slice();
}

interface Edge {
  /** 0 for x, 1 for y. */
  axis: 0 | 1;
  limit: number;
  /** 1 keeps what is above the limit, -1 what is below. */
  sign: 1 | -1;
}

function clipByEdge(ring: readonly number[], { axis, limit, sign }: Edge): number[] {
  const kept: number[] = [];
  for (let at = 0; at < ring.length; at += 2) {
    const before = at === 0 ? ring.length - 2 : at - 2;
    const a = [ring[before] ?? 0, ring[before + 1] ?? 0] as const;
    const b = [ring[at] ?? 0, ring[at + 1] ?? 0] as const;
    const [depthOfA, depthOfB] = [(a[axis] - limit) * sign, (b[axis] - limit) * sign];
    if (depthOfA >= 0 !== depthOfB >= 0) {
      const share = depthOfA / (depthOfA - depthOfB);
      kept.push(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]));
    }
    if (depthOfB >= 0) kept.push(b[0], b[1]);
  }
  return kept;
}

/**
 * The pieces of a line within a frame, each x and y by turns: Liang and Barsky 1984, "A new concept and method for line
 * clipping".
 */
export function clipLine(line: readonly number[], frame: Frame): number[][] {
  const pieces: number[][] = [];
  let piece: number[] = [];
  for (let at = 0; at + 3 < line.length; at += 2) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = line.slice(at, at + 4);
    const within = shareWithin([ax, ay], [bx - ax, by - ay], frame);
    if (within === null) continue;
    const [from, to] = within;
    if (from > 0 || piece.length === 0) {
      piece = [ax + from * (bx - ax), ay + from * (by - ay)];
      pieces.push(piece);
    }
    piece.push(ax + to * (bx - ax), ay + to * (by - ay));
    if (to < 1) piece = [];
  }
  return pieces;
}

/** Between which parts of its way a side is within a frame; null where it is not. */
function shareWithin([x, y]: [number, number], [dx, dy]: [number, number], frame: Frame): [number, number] | null {
  let [from, to] = [0, 1];
  const bounds = [
    [-dx, x - frame.left],
    [dx, frame.right - x],
    [-dy, y - frame.top],
    [dy, frame.bottom - y],
  ] as const;
  for (const [towards, room] of bounds) {
    if (towards === 0 && room < 0) return null;
    if (towards < 0) from = Math.max(from, room / towards);
    if (towards > 0) to = Math.min(to, room / towards);
  }
  return from <= to ? [from, to] : null;
}

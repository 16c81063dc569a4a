/** A straight or bent pipe between two places, by index. */
export interface Edge {
  a: number;
  b: number;
  length: number;
}

/**
 * A spanning forest that finds the longest edge between any two of its places in O(log n): union by size without path
 * compression, each link labelled with the edge that made it. Links must come in ascending order of length.
 */
export class LinkForest {
  readonly #parent: Int32Array;
  readonly #size: Int32Array;
  /** Order of the edge that linked a root to its parent. */
  readonly #order: Float64Array;
  #links = 0;

  constructor(count: number) {
    this.#parent = Int32Array.from({ length: count }, (_, index) => index);
    this.#size = new Int32Array(count).fill(1);
    this.#order = new Float64Array(count).fill(Infinity);
  }

  /** Joins the trees of two places; false when they are already joined. */
  link(a: number, b: number): boolean {
    let [small, large] = [this.rootOf(a), this.rootOf(b)];
    if (small === large) return false;
    const sizes = this.#size;
    if (at(sizes, small) > at(sizes, large)) [small, large] = [large, small];
    this.#parent[small] = large;
    this.#order[small] = this.#links;
    sizes[large] = at(sizes, large) + at(sizes, small);
    this.#links += 1;
    return true;
  }

  /**
   * Which of the linked edges, counted from 0 in order, is the longest between two places; Infinity when none joins
   * them.
   */
  longestBetween(a: number, b: number): number {
    let longest = -1;
    let [u, v] = [a, b];
    while (u !== v) {
      const [orderOfU, orderOfV] = [at(this.#order, u), at(this.#order, v)];
      const order = Math.min(orderOfU, orderOfV);
      if (order === Infinity) return Infinity;
      if (order > longest) longest = order;
      if (orderOfU <= orderOfV) u = at(this.#parent, u);
      else v = at(this.#parent, v);
    }
    return longest;
  }

  rootOf(place: number): number {
    let root = place;
    while (at(this.#parent, root) !== root) root = at(this.#parent, root);
    return root;
  }
}

/** The minimum spanning forest of given edges, ascending by length (Kruskal 1956). */
export function spanningForest(count: number, edges: readonly Edge[]): { kept: Edge[]; forest: LinkForest } {
  const forest = new LinkForest(count);
  const kept = edges.toSorted((one, other) => one.length - other.length).filter(({ a, b }) => forest.link(a, b));
  return { kept, forest };
}

/** The minimum spanning tree over all pairs (Prim 1957), O(n2) time and O(n) memory. */
export function completeSpanningTree(
  count: number,
  distance: (a: number, b: number) => number,
  onPlace: () => void = () => undefined,
): Edge[] {
  const nearest = new Int32Array(count);
  const reach = new Float64Array(count).fill(Infinity);
  const isIn = new Uint8Array(count);
  const edges: Edge[] = [];
  let added = 0;
  for (let step = 1; step < count; step += 1) {
    onPlace();
    isIn[added] = 1;
    let next = -1;
    for (let place = 0; place < count; place += 1) {
      if (isIn[place] === 1) continue;
      const length = distance(added, place);
      if (length < at(reach, place)) {
        reach[place] = length;
        nearest[place] = added;
      }
      if (next < 0 || at(reach, place) < at(reach, next)) next = place;
    }
    edges.push({ a: at(nearest, next), b: next, length: at(reach, next) });
    added = next;
  }
  return edges;
}

/** By place: the places to which edges lead. */
export function neighboursOf(count: number, edges: readonly Edge[]): number[][] {
  const neighbours: number[][] = Array.from({ length: count }, () => []);
  for (const { a, b } of edges) {
    neighbours[a]?.push(b);
    neighbours[b]?.push(a);
  }
  return neighbours;
}

export function lengthOf(edges: readonly Edge[]): number {
  return edges.reduce((sum, { length }) => sum + length, 0);
}

/** Only for an existing place. */
function at(list: Int32Array | Float64Array, place: number): number {
  return list[place] ?? 0;
}

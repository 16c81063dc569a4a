/** A frame that took longer makes the next ones coarser while the picture moves, ms. */
const slowMs = 18;
const quickMs = 13;
const least = 0.4;
/** From one fineness to the next coarser, and to one that a much slower frame asks for. */
const coarser = 0.8;
const muchCoarser = 0.5;
/** Between two frames of a slow machine; longer is a hand that paused, ms. */
const pauseMs = 1_000;
/** After this long at rest the picture is drawn at its full fineness. */
const restMs = 160;

/** Of the canvas at rest, so that a large screen does not fill the memory of its graphics card. */
const mostPixels = 8_000_000;

/**
 * Pixels a CSS px at rest: four for each of the screen, fewer on a large canvas, and never fewer than the screen has.
 */
export function finestRatio(area_px: number, screenRatio: number): number {
  const ratio = Math.min(2, screenRatio);
  return Math.max(ratio, Math.min(2 * ratio, Math.sqrt(mostPixels / area_px)));
}

interface PaceStage {
  /** Pixels of the canvas a CSS px; empties the canvas. */
  setRatio(ratio: number): void;
  draw(): void;
  /** Whether a frame that was asked for is not drawn yet. */
  isDrawing(): boolean;
}

/** Keeps the picture fluent while a user turns it: fewer pixels while frames take too long, all of them at rest. */
export class Pace {
  readonly #stage: PaceStage;
  #most = 1;
  /** At the end of the motion before. */
  #reached = Infinity;
  #ratio = 1;
  #mean_ms = 16;
  #last_ms = 0;
  #moves = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stage: PaceStage) {
    this.#stage = stage;
  }

  setMost(most: number): void {
    if (most === this.#most && this.#ratio <= most) return;
    this.#most = most;
    if (!this.#moves) this.#set(most);
  }

  begin(): void {
    clearTimeout(this.#timer);
    if (!this.#moves) this.#last_ms = 0;
    this.#moves = true;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ended(), restMs);
  }

  /** One of many small changes, as a key that is held makes them. */
  step(): void {
    this.begin();
    this.end();
  }

  /** Before a frame is drawn. A motion begins a step finer than the one before it ended, so that it recovers. */
  drawn(atMs: number): void {
    const isFirst = this.#last_ms === 0;
    const tookMs = atMs - this.#last_ms;
    this.#last_ms = atMs;
    if (!this.#moves) return;
    if (isFirst) this.#set(this.#reached / coarser);
    else if (tookMs < pauseMs) this.#follow(tookMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the motion: the next frame has all pixels. */
  rest(): void {
    clearTimeout(this.#timer);
    if (this.#moves) this.#reached = this.#ratio;
    this.#moves = false;
    this.#set(this.#most);
  }

  /** A frame that takes longer than a rest is no rest: at full fineness the next one would take longer still. */
  #ended(): void {
    if (this.#stage.isDrawing()) return this.end();
    this.rest();
    this.#stage.draw();
  }

  #follow(tookMs: number): void {
    this.#mean_ms += (tookMs - this.#mean_ms) * 0.25;
    if (this.#mean_ms > slowMs) this.#set(this.#ratio * Math.max(muchCoarser, Math.min(coarser, slowMs / tookMs)));
    else if (this.#mean_ms < quickMs) this.#set(this.#ratio * 1.1);
  }

  #set(wanted: number): void {
    const ratio = Math.min(this.#most, Math.max(least, wanted));
    if (ratio === this.#ratio) return;
    this.#ratio = ratio;
    this.#mean_ms = 16;
    this.#stage.setRatio(ratio);
  }
}

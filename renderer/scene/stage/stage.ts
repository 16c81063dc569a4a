import {
  DirectionalLight,
  HemisphereLight,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  TOUCH,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Material,
  type Object3D,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { AirField } from '../air-field.ts';
import type { Outline } from '../bays.ts';
import { towardsSun } from '../compass.ts';
import type { Part, PartState, Vec } from '../part.ts';
import { builtWidth } from '../section.ts';
import { doorOf, standpointOf, stepped, type Standpoint } from './camera.ts';
import type { Palette } from './look.ts';
import { Glide } from './glide.ts';
import { finestRatio, Pace } from './pace.ts';
import { disposeObject, partObject, type RenderMode } from './part-object.ts';
import type { Weather } from '../weather.ts';
import { fieldObject, groundObject, weatherObject } from './surroundings.ts';
import type { ViewName } from './view-names.ts';

/** Everything on show; unchanged objects are not rebuilt. */
export interface Showing {
  outline: Outline;
  parts: readonly Part[];
  states: ReadonlyMap<string, PartState>;
  /** Where the front looks, degrees from north. */
  front_deg: number;
  weather: Weather;
  field: { air: AirField; colorOf: (share: number) => string } | null;
  palette: Palette;
  mode: RenderMode;
  isVisible: (part: Part) => boolean;
  showsWeather: boolean;
  /** Nothing before this place along the house is drawn, m from its middle; null without a cut. */
  section_m: number | null;
  /** Part that is marked. */
  chosen: string | null;
}

/** Labels by their places in space, where they fall on the canvas; null behind the eye or the cut. */
export type Projected = (place: Vec) => { x: number; y: number } | null;

interface StageEvents {
  /** After every frame. */
  drawn: (project: Projected) => void;
  lost: () => void;
  prefersStill: () => boolean;
}

/** The three-dimensional picture of a house on a canvas. It draws only when something changed. */
export class Stage {
  readonly #renderer: WebGLRenderer;
  readonly #camera = new PerspectiveCamera(38, 1, 0.1, 4000);
  readonly #controls: OrbitControls;
  readonly #scene = new Scene();
  readonly #sunlight = new DirectionalLight('#fff7e8', 1.9);
  readonly #sky = new HemisphereLight('#ffffff', '#c9c5ba', 2.1);
  readonly #objects = new Map<string, { object: Object3D; by: readonly unknown[] }>();
  readonly #pace: Pace;
  readonly #glides: Glide;
  readonly #events: StageEvents;
  #showing: Showing | null = null;
  #walks = false;
  /** The view target, until the user turns the house. */
  #view: ViewName | null = null;
  #frame = 0;

  /** Throws where the browser has no WebGL. */
  constructor(canvas: HTMLCanvasElement, events: StageEvents) {
    this.#events = events;
    // Edges are smooth by more pixels than the screen has, and only while there is time for them: multisampling cannot
    // be left out of a frame, and takes two thirds of each where the processor draws.
    this.#renderer = new WebGLRenderer({ canvas, antialias: false, alpha: true });
    this.#renderer.localClippingEnabled = true;
    canvas.addEventListener('wheel', leaveToPage, { capture: true, passive: true });
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_ROTATE };
    this.#controls.maxPolarAngle = Math.PI / 2 - 0.02;
    this.#controls.addEventListener('change', () => this.draw());
    this.#pace = new Pace({
      setRatio: (ratio) => this.#renderer.setPixelRatio(ratio),
      draw: () => this.draw(),
      isDrawing: () => this.#frame !== 0,
    });
    this.#glides = new Glide(this.#pace);
    this.#controls.addEventListener('start', () => {
      this.#glides.stop();
      this.#view = null;
      this.#pace.begin();
    });
    this.#controls.addEventListener('end', () => this.#pace.end());
    this.#scene.add(this.#sky, this.#sunlight);
    canvas.addEventListener('webglcontextlost', this.#onLost);
  }

  readonly #onLost = (event: Event): void => {
    event.preventDefault();
    this.#events.lost();
  };

  show(showing: Showing): void {
    const before = this.#showing;
    this.#showing = showing;
    const { outline, palette, front_deg, weather, field } = showing;
    this.#keep('ground', [outline, palette], () => groundObject(outline, palette));
    const signs = { weather, palette };
    this.#keep('weather', [outline, front_deg, weather, palette], () => weatherObject(outline, front_deg, signs));
    this.#visible('weather', showing.showsWeather);
    if (field !== null)
      this.#keep('field', [field], () =>
        fieldObject(field.air, field.colorOf, Math.min(1.5, outline.eave_height_m * 0.55)),
      );
    else this.#drop('field');
    this.#showParts(showing);
    this.#light(showing);
    this.#cut(showing);
    this.#pace.setMost(this.#finest());
    if (before !== null && before.section_m !== showing.section_m) this.#pace.step();
    if (before === null || !isSameSize(before.outline, outline)) this.look('corner', true);
    this.draw();
  }

  #showParts(showing: Showing): void {
    const { parts, states, palette, mode, chosen } = showing;
    const wanted = new Set(parts.map(({ id }) => `part:${id}`));
    for (const key of this.#objects.keys()) if (key.startsWith('part:') && !wanted.has(key)) this.#drop(key);
    for (const part of parts) {
      const key = `part:${part.id}`;
      const state = states.get(part.id) ?? 'undriven';
      const drawn = part.id === chosen ? { ...palette, quiet: palette.ink, running: palette.ink } : palette;
      this.#keep(key, [part, state, palette, mode, part.id === chosen], () =>
        partObject(part, state, { palette: drawn, mode }),
      );
      this.#visible(key, showing.isVisible(part) && !(mode === 'performance' && part.category === 'crop'));
    }
  }

  /** Rebuilds an object only when one of its inputs has changed. */
  #keep(key: string, by: readonly unknown[], make: () => Object3D): void {
    const known = this.#objects.get(key);
    if (known !== undefined && known.by.every((one, index) => one === by[index])) return;
    this.#drop(key);
    const object = make();
    this.#objects.set(key, { object, by });
    this.#scene.add(object);
  }

  #drop(key: string): void {
    const known = this.#objects.get(key);
    if (known === undefined) return;
    this.#scene.remove(known.object);
    disposeObject(known.object);
    this.#objects.delete(key);
  }

  #visible(key: string, isVisible: boolean): void {
    const known = this.#objects.get(key);
    if (known !== undefined) known.object.visible = isVisible;
  }

  /** By day from the position of the sun; at night dim and from above. */
  #light({ weather: { sun }, front_deg }: Showing): void {
    const isDay = sun === null || sun.altitude_deg > 0;
    const from = sun === null || !isDay ? ([0.4, 1, -0.6] as const) : towardsSun(sun, front_deg);
    this.#sunlight.position.set(...from);
    this.#sunlight.intensity = isDay ? 1.9 : 0.6;
    this.#sky.intensity = isDay ? 2.1 : 1.8;
  }

  #cut({ section_m }: Showing): void {
    const planes = section_m === null ? null : [new Plane(new Vector3(0, 0, 1), -section_m)];
    for (const [key, { object }] of this.#objects) {
      if (key.startsWith('part:') || key === 'field') clip(object, planes);
    }
  }

  /** Size of the canvas, CSS px. */
  resize(width: number, height: number): void {
    if (width <= 0 || height <= 0) return; // not laid out yet: there is no aspect
    this.#renderer.setSize(width, height, false);
    this.#pace.setMost(this.#finest());
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    if (this.#view !== null) this.look(this.#view, true); // the whole house again, e.g. when a tablet is turned
    this.#render(); // at once: another size empties the canvas
  }

  /** Pixels a CSS px at rest. */
  #finest(): number {
    if (this.#showing?.mode === 'performance') return 1;
    const { x, y } = this.#renderer.getSize(new Vector2());
    return finestRatio(x * y, window.devicePixelRatio);
  }

  look(view: ViewName, atOnce = false): void {
    if (this.#showing === null) return;
    this.#walks = false;
    this.#view = view;
    this.#controls.enabled = true;
    this.#glide(standpointOf(view, this.#showing.outline, this.#camera), atOnce);
  }

  /** Goes in by the front door. */
  enter(): void {
    if (this.#showing === null) return;
    this.#walks = true;
    this.#view = null;
    this.#controls.enabled = false;
    this.#glide(doorOf(this.#showing.outline), true);
  }

  /** A step or turn of a walk; outside of one the house is turned and brought nearer. */
  move(by: { ahead_m: number; turn_deg: number; tilt_deg?: number }): void {
    if (this.#showing === null) return;
    const from = { position: this.#camera.position, target: this.#controls.target };
    this.#glides.stop();
    this.#view = null;
    this.#pace.step();
    if (this.#walks) this.#stand(stepped(from, by, this.#showing.outline));
    else this.#orbit(by);
    this.draw();
  }

  #orbit({ ahead_m, turn_deg, tilt_deg = 0 }: { ahead_m: number; turn_deg: number; tilt_deg?: number }): void {
    const off = this.#camera.position.clone().sub(this.#controls.target);
    const away = off.length() * (1 - ahead_m / 8);
    const polar = Math.acos(off.y / off.length()) + (tilt_deg * Math.PI) / 180;
    const turn = Math.atan2(off.x, off.z) + (turn_deg * Math.PI) / 180;
    off.setFromSphericalCoords(away, Math.min(this.#controls.maxPolarAngle, Math.max(0.01, polar)), turn);
    this.#stand({ position: off.add(this.#controls.target), target: this.#controls.target });
  }

  #stand({ position, target }: Standpoint): void {
    this.#camera.position.copy(position);
    this.#controls.target.copy(target);
    this.#camera.lookAt(target);
  }

  /** In place of a glide before; what turns the house by hand ends it. */
  #glide(to: Standpoint, atOnce: boolean): void {
    const from = { position: this.#camera.position.clone(), target: this.#controls.target.clone() };
    const stand = (share: number): void => {
      this.#stand({
        position: from.position.clone().lerp(to.position, share),
        target: from.target.clone().lerp(to.target, share),
      });
      this.draw();
    };
    this.#glides.begin(stand, atOnce || this.#events.prefersStill());
  }

  /** The part at a point of the canvas, CSS px; the covering is looked through. */
  partAt(x: number, y: number): string | null {
    const { clientWidth, clientHeight } = this.#renderer.domElement;
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((x / clientWidth) * 2 - 1, 1 - (y / clientHeight) * 2), this.#camera);
    const solid = [...this.#objects]
      .filter(([key, { object }]) => key.startsWith('part:') && object.visible)
      .map(([, { object }]) => object);
    for (const { object, point } of caster.intersectObjects(solid)) {
      const id: unknown = object.parent?.userData['part'];
      const part = this.#showing?.parts.find((one) => one.id === id);
      const isCut = point.z < (this.#showing?.section_m ?? -Infinity);
      if (part !== undefined && !isCut && !['covering', 'frame', 'crop'].includes(part.category)) return part.id;
    }
    return null;
  }

  /** Draws with the next frame of the screen. */
  draw(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame((at) => {
      this.#frame = 0;
      this.#pace.drawn(at);
      this.#render();
    });
  }

  #render(): void {
    this.#objects.get('weather')?.object.traverse((one) => {
      if (one.userData['facesCamera'] === true) one.quaternion.copy(this.#camera.quaternion);
    });
    this.#renderer.render(this.#scene, this.#camera);
    this.#events.drawn(this.#projected);
  }

  readonly #projected: Projected = (place) => {
    if (this.#showing !== null && isCutOff(place, this.#showing)) return null;
    const at = new Vector3(...place).project(this.#camera);
    if (at.z > 1 || Math.abs(at.x) > 1 || Math.abs(at.y) > 1) return null;
    const { clientWidth, clientHeight } = this.#renderer.domElement;
    return { x: ((at.x + 1) / 2) * clientWidth, y: ((1 - at.y) / 2) * clientHeight };
  };

  /** The canvas just drawn: to be copied before this turn ends. */
  pictured(): HTMLCanvasElement {
    this.#pace.rest();
    this.#render();
    return this.#renderer.domElement;
  }

  /** The visible parts, for an export. */
  visibleParts(): Object3D[] {
    return [...this.#objects].flatMap(([key, { object }]) =>
      key.startsWith('part:') && object.visible ? [object] : [],
    );
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#glides.stop();
    this.#pace.stop();
    this.#renderer.domElement.removeEventListener('wheel', leaveToPage, { capture: true });
    this.#renderer.domElement.removeEventListener('webglcontextlost', this.#onLost);
    for (const key of [...this.#objects.keys()]) this.#drop(key);
    this.#controls.dispose();
    this.#renderer.dispose();
  }
}

/** The wheel scrolls the page over a house without the focus; two fingers mean the house at once. */
function leaveToPage(event: WheelEvent): void {
  if (event.currentTarget !== document.activeElement) event.stopImmediatePropagation();
}

function clip(object: Object3D, planes: Plane[] | null): void {
  object.traverse((one) => {
    const { material } = one as { material?: Material }; // of a mesh or lines
    if (material !== undefined) material.clippingPlanes = planes;
  });
}

/** What stands around the house is never cut. */
function isCutOff([x, , z]: Vec, { section_m, outline }: Showing): boolean {
  const isAround = Math.abs(x) > builtWidth(outline) / 2 || Math.abs(z) > outline.length_m / 2;
  return section_m !== null && z < section_m && !isAround;
}

function isSameSize(a: Outline, b: Outline): boolean {
  return (
    a.length_m === b.length_m &&
    a.bay_count === b.bay_count &&
    a.bay_width_m === b.bay_width_m &&
    a.structure === b.structure
  );
}

// @vitest-environment happy-dom
import type * as Controls from 'three/addons/controls/OrbitControls.js';
import { expect, it, vi } from 'vitest';
import { Stage } from '../../../../../renderer/scene/stage/stage.ts';

/** What the fingers on the canvas do to the camera. */
const seen = vi.hoisted(() => ({ dollies: 0 }));

vi.mock('three', async (real) => ({
  ...(await real<object>()),
  /** Draws nothing: there is no WebGL here. */
  WebGLRenderer: class {
    domElement = {};
    setPixelRatio = (): void => undefined;
    render = (): void => undefined;
  },
}));

vi.mock('three/addons/controls/OrbitControls.js', async (real) => {
  const { OrbitControls } = await real<typeof Controls>();
  return {
    OrbitControls: class extends OrbitControls {
      _handleTouchMoveDolly = (): void => void (seen.dollies += 1);
    },
  };
});

function canvasOfStage(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.tabIndex = 0;
  Object.defineProperties(canvas, { clientWidth: { value: 800 }, clientHeight: { value: 600 } });
  canvas.setPointerCapture = () => undefined;
  document.body.append(canvas);
  new Stage(canvas, { drawn: () => undefined, lost: () => undefined, prefersStill: () => true });
  return canvas;
}

it('leaves the wheel to the page until it has the focus', () => {
  const canvas = canvasOfStage();
  const isTaken = (): boolean => !canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: 100, cancelable: true }));
  expect(isTaken()).toBe(false);
  canvas.focus();
  expect(isTaken()).toBe(true);
});

it('comes nearer by the first two fingers', () => {
  const canvas = canvasOfStage();
  const touch = (type: string, pointerId: number, pageX: number): void => {
    const event = new PointerEvent(type, { pointerId, pointerType: 'touch', bubbles: true, cancelable: true });
    canvas.dispatchEvent(Object.defineProperties(event, { pageX: { value: pageX }, pageY: { value: 300 } }));
  };
  for (const [id, x] of [[1, 340], [2, 460]] as const) touch('pointerdown', id, x); // prettier-ignore
  for (const [id, x] of [[1, 320], [2, 480]] as const) touch('pointermove', id, x); // prettier-ignore
  expect(seen.dollies).toBeGreaterThan(0);
});

// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { coloursOf, drawState } from '../../../../../renderer/features/trends/picture-states.ts';
import StateStrips from '../../../../../renderer/features/trends/StateStrips.vue';
import { stateKinds, type StateKind } from '../../../../../renderer/features/trends/states.ts';
import { recordCanvases } from '../../../../support/recorded-canvas.ts';
import { mounted } from '../../ui/mounted.ts';

const area = { left_px: 0, width_px: 400, top_px: 0, height_px: 300 };
const levels = { on: 100, position: 40, off: 0, unknown: null } as const;
const states = Object.values(levels).map((state, at) => ({ from_ms: 100 * at, to_ms: 100 * (at + 1), state }));
const told = { isComplete: true, switches: [], hasAllSwitches: true, states };
const strip = { key: 'vent/0', house: '', device: 'Vent', name: 'Vent', isSwitch: false, ...told };

function page() {
  const strips = mounted(StateStrips, {
    props: { strips: [strip], span: { from_ms: 0, to_ms: 400 }, area, atMs: null },
  });
  return (kind: StateKind) => {
    const box = strips.get(`.strips__track .strips__${kind}`);
    const numbers = ['x', 'y', 'width', 'height'].map((name) => Number(box.attributes(name)));
    return { numbers, style: box.attributes('style') ?? '', strips };
  };
}

afterEach(() => vi.unstubAllGlobals());

it('shows what is unknown in the colour that is kept for it, on the page and in a picture', () => {
  const { strips, style } = page()('unknown');
  const [, pattern] = /url\(["']?#([\w-]+)/.exec(style) ?? [];
  expect(strips.get(`#${pattern} rect`).attributes('style')).toContain('--v-theme-unknown');
  expect(coloursOf(false)).toMatchObject({ unknown: '#6b4791' });
});

it.each(stateKinds)('shows %s at the same place in a picture as on the page', (kind) => {
  const { numbers } = page()(kind);
  const drawn = recordCanvases();
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) throw new Error('no canvas');
  const at = kind === 'unrecorded' ? 0 : 100 * Object.keys(levels).indexOf(kind);
  const box = { kind, x: at, width: kind === 'unrecorded' ? 400 : 100, fill: kind === 'position' ? 0.4 : 1 };
  drawState(context, box, { top: 50, colours: coloursOf(false) });
  const [rect] = drawn.filter(({ name }) => /^(fillRect|strokeRect|rect)$/.test(name)).map(({ args }) => args);
  const [x = NaN, top = NaN, ...size] = rect?.map(Number) ?? [];
  expect([x, top - 50, ...size]).toEqual(numbers);
});

// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { mapPicture } from '../../../../renderer/map/map-picture.ts';
import { northArrow } from '../../../../renderer/map/sheet-marks.ts';
import { recordCanvases, type Drawn } from '../../../support/recorded-canvas.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A map of 600 × 400 px with 0.5 m a px, as it is put on paper. */
function drawnPicture(): Drawn[] {
  const drawn = recordCanvases();
  const container = document.createElement('div');
  vi.spyOn(container, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 600, 400));
  mapPicture(
    { container, metresPerPixel: 0.5, attribution: '© OpenStreetMap contributors' },
    {
      title: 'Farm',
      time: '28 Nov 2026, 17:03',
      legend: {
        title: 'Legend',
        types: [
          { type: 'facility', name: 'House', opacity: 1 },
          { type: 'pipe', name: 'Pipe', opacity: 1 },
        ],
      },
      north: 'N',
      distance: (metres) => `${metres} m`,
      unit_m: 1,
    },
  );
  return drawn;
}

const callsOf = (drawn: readonly Drawn[], name: string): (readonly unknown[])[] =>
  drawn.filter((one) => one.name === name).map(({ args }) => args);

it('has its name, its time and its sources on the picture of a map', () => {
  const texts = callsOf(drawnPicture(), 'fillText').map(([text]) => text);
  expect(texts).toEqual(expect.arrayContaining(['Farm', '28 Nov 2026, 17:03', '© OpenStreetMap contributors']));
});

it('points north in the corner of the map', () => {
  const drawn = drawnPicture();
  const [tip, ...others] = callsOf(drawn, 'lineTo').slice(0, northArrow.length) as [number, number][];
  expect(tip).toEqual([566, 18]);
  expect(others.map(([x, y]) => [x - 566, y - 18])).toEqual(northArrow.slice(1));
  expect(callsOf(drawn, 'fillText')).toContainEqual(['N', 566, 68]);
});

it('has a scale bar as long as it says', () => {
  const drawn = drawnPicture();
  const [, bar] = callsOf(drawn, 'strokeRect') as [number, number, number, number][];
  const [, said] = callsOf(drawn, 'fillText').filter(([text]) => /^(0|\d+ m)$/.test(String(text)));
  expect(bar?.[2]).toBeGreaterThan(60);
  expect(said?.[0]).toBe(`${0.5 * (bar?.[2] ?? 0)} m`);
  expect(said?.[1]).toBe((bar?.[0] ?? 0) + (bar?.[2] ?? 0));
});

it('has a sample of each type beside its name in the legend', () => {
  const drawn = drawnPicture();
  const names = callsOf(drawn, 'fillText') as [string, number, number][];
  const samples = callsOf(drawn, 'fillRect').filter(([, , width, height]) => width === 26 && height === 16);
  const rows = ['House', 'Pipe'].map((name) => names.find(([text]) => text === name));
  expect(names.map(([text]) => text)).toContain('Legend');
  expect(samples.map(([x, y]) => [Number(x) + 36, Number(y) + 8])).toEqual(rows.map((row) => row?.slice(1)));
});

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { numeral } from '../units/numeral.ts';
import { laneMarks, laneOf, laneScale, lanesOf, laneStep } from './lanes.ts';
import { lineLook, type Lane, type Line } from './lines.ts';
import { nights, type Span } from './night.ts';

export interface PlotLooks {
  isDark: boolean;
  ink: string;
  grid: string;
  night: string;
  /** Background of text that lies over lines. */
  ground: string;
  font: string;
}

export interface PlotOptions {
  looks: PlotLooks;
  place: { lat: number; lng: number } | null;
  timeZone: string;
  language: string;
  /** Where the pointer rests on the plot that this one replaces: a resting pointer fires no event on the new one. */
  pointer: { left?: number | undefined; top?: number | undefined } | undefined;
  /** Called with a span selected by dragging. */
  chosen: (span: Span) => void;
  /** Called with the time under the pointer, epoch ms; null when it leaves. */
  pointed: (atMs: number | null) => void;
  /** Called with the plot area after each draw. */
  drawn: (area: PlotArea) => void;
}

/** The plot area without the axes, px from the top left of the chart; other elements align with it. */
export interface PlotArea {
  left_px: number;
  width_px: number;
  top_px: number;
  height_px: number;
}

const leastStretch_px = 6;
const axisWidth_px = 62;
/** Of the title of a lane, which no line crosses. */
const title_px = 22;

/** Creates an empty plot with a lane for each quantity. Times are in s, as uPlot expects. */
export function makePlot(target: HTMLElement, lines: readonly Line[], options: PlotOptions): uPlot {
  const lanes = lanesOf(lines);
  const { looks } = options;
  const axis = {
    stroke: looks.ink,
    font: looks.font,
    grid: { stroke: looks.grid, width: 1 },
    ticks: { stroke: looks.grid },
  };
  const scales = lanes.map(({ key }, index): [string, uPlot.Scale] => [
    key,
    {
      range: (plot: uPlot, low: number | null, high: number | null) =>
        laneScale(low ?? 0, high ?? 1, { index, count: lanes.length, head: headOf(plot, lanes.length) }),
    },
  ]);
  return new uPlot(
    {
      width: target.clientWidth,
      height: target.clientHeight,
      padding: [8, 16, 0, axisWidth_px],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), options.timeZone),
      legend: { show: false },
      cursor: {
        drag: { x: true, y: false, setScale: false, dist: leastStretch_px },
        points: { size: 7 },
        y: false,
        left: options.pointer?.left ?? -1,
        top: options.pointer?.top ?? -1,
      },
      scales: { x: { time: true }, ...Object.fromEntries(scales) },
      axes: [
        { ...axis, values: (_, splits, __, ___, step) => timeLabels(splits, step, options) },
        // All axes are on the left, each in its lane; the padding leaves room for them.
        ...lanes.map((lane, index) => ({
          ...axis,
          scale: lane.key,
          size: 0,
          space: 22,
          splits: (_: uPlot, __: number, min: number, max: number, step: number) =>
            laneMarks(min, max, laneStep(step, lane, (max - min) / lanes.length), index, lanes.length),
          values: (_: uPlot, splits: number[]) => numberLabels(splits, options.language),
        })),
      ],
      series: [{}, ...lines.map((line) => drawnLine(line, looks)), ...banded(lines).flatMap(edges)],
      bands: banded(lines).map((line, index) => ({
        series: [lines.length + 2 * index + 2, lines.length + 2 * index + 1],
        fill: `${lineLook(line.look)[looks.isDark ? 'dark' : 'light']}40`,
      })),
      hooks: {
        drawClear: [(plot) => shadeNights(plot, options)],
        setSelect: [(plot) => choose(plot, options)],
        setCursor: [(plot) => point(plot, options)],
        draw: [(plot) => nameLanes(plot, lanes, looks), (plot) => options.drawn(areaOf(plot))],
      },
    },
    joined(lines),
    target,
  );
}

/** The share of a lane that its title takes, however low the lane is. */
const headOf = ({ bbox }: uPlot, count: number): number =>
  Math.min(0.4, (title_px * uPlot.pxRatio * count) / Math.max(1, bbox.height));

function drawnLine(line: Line, looks: PlotLooks): uPlot.Series {
  const { light, dark, dash, width_px } = lineLook(line.look, line.kind);
  return {
    scale: laneOf(line),
    stroke: looks.isDark ? dark : light,
    dash: [...dash],
    width: width_px,
    spanGaps: false,
  };
}

const banded = (lines: readonly Line[]): Line[] => lines.filter(({ band }) => band !== undefined);

/** The edges of a band: filled between them, not drawn themselves. */
function edges(line: Line): uPlot.Series[] {
  const edge = { scale: laneOf(line), width: 0, points: { show: false }, spanGaps: false };
  return [edge, edge];
}

/** All lines on one time axis: a line is drawn through where it has no sample of its own and breaks at null. */
export function joined(lines: readonly Line[]): uPlot.AlignedData {
  if (lines.length === 0) return [[]];
  const tables = lines.map((line): uPlot.AlignedData => {
    const { times, values } = isDirection(line) ? brokenAtNorth(line) : line;
    return [times.map((time) => time / 1000), [...values]];
  });
  const bands = banded(lines).flatMap(({ times, band }) =>
    [band?.least ?? [], band?.most ?? []].map((edge): uPlot.AlignedData => [
      times.map((time) => time / 1000),
      [...edge],
    ]),
  );
  tables.push(...bands);
  const keepNulls = 1;
  return uPlot.join(
    tables,
    tables.map(() => [keepNulls]),
  );
}

/** As stored, and as displayed. */
const isDirection = ({ unit }: Line): boolean => unit === 'deg' || unit === '°';

/** A direction that passes north, say from 359 to 1 degrees, must not cross the chart: the line breaks half-way. */
function brokenAtNorth({ times, values }: Line): Pick<Line, 'times' | 'values'> {
  const points = times.flatMap((time, index) => {
    const [before, value] = [values[index - 1] ?? null, values[index] ?? null];
    const passesNorth = before !== null && value !== null && Math.abs(value - before) > 180;
    const halfMs = (time + (times[index - 1] ?? time)) / 2;
    return [...(passesNorth ? [{ time: halfMs, value: null }] : []), { time, value }];
  });
  return { times: points.map(({ time }) => time), values: points.map(({ value }) => value) };
}

export function showSpan(plot: uPlot, { from_ms, to_ms }: Span): void {
  plot.setScale('x', { min: from_ms / 1000, max: to_ms / 1000 });
}

/** Fits the plot to its frame, and the lines below the titles, whose share of a lane depends on its height. */
export function resize(plot: uPlot, size: { width: number; height: number }): void {
  plot.setSize(size);
  plot.redraw(true, true);
}

function shadeNights(plot: uPlot, { place, looks }: PlotOptions): void {
  const { min, max } = plot.scales['x'] ?? {};
  if (place === null || min == null || max == null) return;
  const { left, top, width, height } = plot.bbox;
  plot.ctx.save();
  plot.ctx.fillStyle = looks.night;
  for (const night of nights({ from_ms: min * 1000, to_ms: max * 1000 }, place)) {
    const from = Math.max(left, plot.valToPos(night.from_ms / 1000, 'x', true));
    const to = Math.min(left + width, plot.valToPos(night.to_ms / 1000, 'x', true));
    if (to > from) plot.ctx.fillRect(from, top, to - from, height);
  }
  plot.ctx.restore();
}

/** Draws a rule between lanes and the title in the corner of each. */
function nameLanes(plot: uPlot, lanes: readonly Lane[], { ink, grid, ground, font }: PlotLooks): void {
  const { left, top, width, height } = plot.bbox;
  const scale = uPlot.pxRatio;
  plot.ctx.save();
  plot.ctx.font = font.replace(/^(\d+)px/, (_, size) => `600 ${Number(size) * scale}px`);
  plot.ctx.textAlign = 'left';
  plot.ctx.textBaseline = 'top';
  lanes.forEach(({ title }, index) => {
    const y = top + (height * index) / lanes.length;
    plot.ctx.fillStyle = grid;
    if (index > 0) plot.ctx.fillRect(left - axisWidth_px * scale, y, width + axisWidth_px * scale, scale);
    plot.ctx.fillStyle = ground;
    plot.ctx.fillRect(left + 2 * scale, y + 3 * scale, plot.ctx.measureText(title).width + 8 * scale, 16 * scale);
    plot.ctx.fillStyle = ink;
    plot.ctx.fillText(title, left + 6 * scale, y + 5 * scale);
  });
  plot.ctx.restore();
}

function choose(plot: uPlot, { chosen }: PlotOptions): void {
  const { left, width } = plot.select;
  if (width < leastStretch_px) return;
  const at = (px: number): number => plot.posToVal(px, 'x') * 1000;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  chosen({ from_ms: at(left), to_ms: at(left + width) });
}

function point(plot: uPlot, { pointed }: PlotOptions): void {
  const { left } = plot.cursor;
  pointed(left === undefined || left < 0 ? null : plot.posToVal(left, 'x') * 1000);
}

function areaOf({ bbox }: uPlot): PlotArea {
  const px = (on_canvas: number): number => Math.round(on_canvas / uPlot.pxRatio);
  return {
    left_px: px(bbox.left),
    width_px: px(bbox.width),
    top_px: px(bbox.top),
    height_px: px(bbox.height),
  };
}

const day_s = 86_400;

/**
 * Time within a day, day and month beyond that, months over years; the first mark of a day shows its date below, the
 * first month of a year its year.
 */
function timeLabels(splits: readonly number[], step_s: number, { language, timeZone }: PlotOptions): string[] {
  const form = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, { timeZone, ...options });
  const second = form({
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(step_s < 60 && { second: '2-digit' }),
  });
  const day = form({ day: 'numeric', month: 'short' });
  const month = form({ month: 'short' });
  const year = form({ year: 'numeric' });
  let before = '';
  const above = (fine: string, coarse: string): string => {
    const label = coarse === before ? fine : `${fine}\n${coarse}`;
    before = coarse;
    return label;
  };
  return splits.map((split) => {
    const date = new Date(split * 1000);
    if (step_s >= 27 * day_s) return above(month.format(date), year.format(date));
    if (step_s >= day_s) return day.format(date);
    return above(second.format(date), day.format(date));
  });
}

function numberLabels(splits: readonly number[], language: string): string[] {
  return splits.map((split) => numeral(split, language, { maximumFractionDigits: 4 }));
}

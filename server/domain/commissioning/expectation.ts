import type { ActuatorRole } from '../../contract/facility.ts';
import { actuatorTests } from './actuator-test.ts';
import type { Baseline } from './baseline.ts';
import { quantityFacts, type Quantity } from './quantity.ts';
import { after, baselineBefore, type Series } from './series.ts';
import { stepResponse, type Direction, type StepResponse } from './step-response.ts';

/** When an actuator was moved, and after which moment its quantities were left alone. */
export interface Moved {
  role: ActuatorRole;
  /** 1: turned on or opened; -1: turned off, so that all is awaited the other way round. */
  step: 1 | -1;
  /** After this nothing else had moved what it moves, s. */
  quietSince_s: number;
  drivenAt_s: number;
}

/** What one sensor should show. */
export interface Expectation {
  series: Series;
  quantity: Quantity;
  direction: Direction;
  baseline: Baseline;
  answersWithin_s: number;
}

export interface Expectations {
  expected: Expectation[];
  /** Why nothing can be seen: no sensor for it, or in and out are too much alike. */
  unseen: 'no_sensor' | 'no_gradient' | null;
}

/** Outdoor air, ppm (NOAA, global mean of 2024 rounded). */
const outdoorCo2_ppm = 420;
/** Exchange with air that differs by less could not move the house by what counts: it takes in at least half. */
const gradientFactor = 2;
/** Light that a curtain must have to take away. */
const curtainShare = 3;
/** Humidity cannot rise where the air is full. */
const fullHumidity_pct = 97;

/** What should be seen when an actuator moves, by the present baselines. */
export function expectationsOf(moved: Moved, all: readonly Series[]): Expectations {
  return seenAs(actuatorTests[moved.role].expects, moved, all);
}

/** What else it moves where the clearest cannot be seen. */
export function supportsOf(moved: Moved, all: readonly Series[]): Expectation[] {
  return seenAs(actuatorTests[moved.role].supports ?? [], moved, all).expected;
}

export function responseOf({ series, quantity, ...awaited }: Expectation, drivenAt_s: number): StepResponse {
  const { least } = quantityFacts[quantity];
  return stepResponse({ ...awaited, after: after(series.points, drivenAt_s), drivenAt_s, least });
}

type Wanted = (typeof actuatorTests)[ActuatorRole]['expects'];

function seenAs(wanted: Wanted, moved: Moved, all: readonly Series[]): Expectations {
  const candidates = wanted.flatMap(({ quantity, towards }) =>
    all
      .filter((series) => series.quantity === quantity)
      .map((series) => ({ series, quantity, towards, baseline: baselineOf(series, moved) })),
  );
  const expected = candidates.flatMap(({ baseline, towards, ...one }): Expectation[] => {
    if (baseline === null) return [];
    const direction = directionOf({ ...one, towards, level: baseline.mean, step: moved.step }, all);
    const { answersWithin_s } = actuatorTests[moved.role];
    return direction === undefined ? [] : [{ ...one, baseline, direction, answersWithin_s }];
  });
  const unseen =
    expected.length > 0 || wanted.length === 0 ? null : candidates.length === 0 ? 'no_sensor' : 'no_gradient';
  return { expected, unseen };
}

export function baselineOf(series: Series, { quietSince_s, drivenAt_s }: Moved): Baseline | null {
  return baselineBefore(series.points, { from_s: quietSince_s, to_s: drivenAt_s });
}

interface Question {
  quantity: Quantity;
  towards: Wanted[number]['towards'];
  level: number;
  step: 1 | -1;
}

/** Undefined where there is no room for a change that counts. */
function directionOf({ quantity, towards, level, step }: Question, all: readonly Series[]): Direction | undefined {
  const { least } = quantityFacts[quantity];
  switch (towards) {
    case 'either':
      return 0;
    case 'up':
      return quantity === 'humidity' && step > 0 && level > fullHumidity_pct ? undefined : step;
    case 'down':
      return quantity === 'light' && step > 0 && level < curtainShare * least ? undefined : step > 0 ? -1 : 1;
    case 'outdoors': {
      const outdoors = outdoorLevel(quantity, all);
      // Shutting a vent lets the house drift to a balance that nobody knows.
      if (outdoors === undefined || step < 0) return undefined;
      const gap = outdoors - level;
      return Math.abs(gap) < gradientFactor * least ? undefined : gap > 0 ? 1 : -1;
    }
  }
}

function outdoorLevel(quantity: Quantity, all: readonly Series[]): number | undefined {
  if (quantity === 'co2') return outdoorCo2_ppm;
  const series = all.find(({ role, unit }) =>
    quantity === 'temp' ? role === 'outdoor_temp' : role === 'outdoor_humidity' && unit === quantityFacts.vapour.unit,
  );
  return series?.points.at(-1)?.value;
}

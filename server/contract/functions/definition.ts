import { z } from 'zod';
import type { ControllerFault } from '../controller-kind.ts';
import type { outputRef } from '../output.ts';
import { controlMeasurement, type ControlMeasurement } from '../pid.ts';
import type { MeasurementName } from '../units.ts';

/** `look`: at once instead of with its period. `reset`: begin anew what it has added up or stopped for. */
export const functionCommands = ['look', 'reset'] as const;
export type FunctionCommand = (typeof functionCommands)[number];

/** How often a function looks. */
export const period_s = z.number().min(1).max(3_600).describe('Time between two looks, in s');
export const series = controlMeasurement;

/** A series that a function reads, and what it must measure: any quantity where nothing is named. */
export interface ReadSeries {
  path: string;
  series: ControlMeasurement;
  measures?: readonly MeasurementName[];
}

/** What a function stores of itself: a channel by its place in the list. */
export interface FunctionValue {
  name: string;
  measurement: MeasurementName;
}

/** One kind of function, as every layer but the daemon needs it. */
export interface FunctionDefinition<Options extends z.ZodType<{ period_s: number }> = z.ZodType<{ period_s: number }>> {
  options: Options;
  /** Those that name no quantity must all be of the same one. */
  reads(options: z.infer<Options>): readonly ReadSeries[];
  /** Outputs that it drives alone, by the path of the field. */
  drives?(options: z.infer<Options>): readonly (readonly [path: string, output: z.infer<typeof outputRef>])[];
  /** What it works out, where the first series that it reads measures `first`. */
  values(first: MeasurementName): readonly FunctionValue[];
  /** Directions run in a circle: they have no sum and no order. */
  refusesDirections?: boolean;
  faults?(options: z.infer<Options>): readonly ControllerFault[];
  /** What it can be told while it runs; `look` alone where absent. */
  commands?: readonly FunctionCommand[];
}

/** Keeps the types of a kind without writing them twice. */
export function functionDefinition<Options extends z.ZodType<{ period_s: number }>>(
  definition: FunctionDefinition<Options>,
): FunctionDefinition<Options> {
  return definition;
}

/** The one value of a function that gives what it is given. */
export function sameValue(first: MeasurementName): readonly FunctionValue[] {
  return [{ name: 'Value', measurement: first }];
}

/** What a difference of two values of a quantity is: of temperatures it has no zero of a scale. */
export function differenceOf(measurement: MeasurementName): MeasurementName {
  return measurement === 'temperature' ? 'temperature_difference' : measurement;
}

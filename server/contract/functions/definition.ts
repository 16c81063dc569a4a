import { z } from 'zod';
import type { ControllerFault } from '../controller-kind.ts';
import type { outputRef } from '../output.ts';
import { controlMeasurement, type ControlMeasurement } from '../pid.ts';
import type { MeasurementName } from '../units.ts';

/** `look`: tick now. `reset`: clear its sums, or what it has stopped for. */
export const functionCommands = ['look', 'reset'] as const;
export type FunctionCommand = (typeof functionCommands)[number];

/** How often a function ticks. */
export const period_s = z.number().min(1).max(3_600).describe('Time between two looks, in s');
export const series = controlMeasurement;

/** A series that a function reads, and the required quantity; any quantity when none is named. */
export interface ReadSeries {
  path: string;
  series: ControlMeasurement;
  measures?: readonly MeasurementName[];
}

/** A series that a function stores; its channel is its place in the list. */
export interface FunctionValue {
  name: string;
  measurement: MeasurementName;
}

/** One kind of function, as every layer but the daemon needs it. */
export interface FunctionDefinition<Options extends z.ZodType<{ period_s: number }> = z.ZodType<{ period_s: number }>> {
  options: Options;
  /** Series without a required quantity must all share one. */
  reads(options: z.infer<Options>): readonly ReadSeries[];
  /** Outputs that it alone drives, by the path of the field. */
  drives?(options: z.infer<Options>): readonly (readonly [path: string, output: z.infer<typeof outputRef>])[];
  /** Its results, given the measurement of the first series that it reads. */
  values(first: MeasurementName): readonly FunctionValue[];
  /** Directions are circular: they have no sum and no order. */
  refusesDirections?: boolean;
  faults?(options: z.infer<Options>): readonly ControllerFault[];
  /** The commands that it takes while it runs; default only `look`. */
  commands?: readonly FunctionCommand[];
}

/** Infers the types of a kind, so that they are not written twice. */
export function functionDefinition<Options extends z.ZodType<{ period_s: number }>>(
  definition: FunctionDefinition<Options>,
): FunctionDefinition<Options> {
  return definition;
}

/** The one value of a function that returns the quantity it reads. */
export function sameValue(first: MeasurementName): readonly FunctionValue[] {
  return [{ name: 'Value', measurement: first }];
}

/** The quantity of a difference of two values: a difference of temperatures has no offset. */
export function differenceOf(measurement: MeasurementName): MeasurementName {
  return measurement === 'temperature' ? 'temperature_difference' : measurement;
}

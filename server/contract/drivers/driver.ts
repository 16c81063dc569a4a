import { z } from 'zod';
import type { OutputChannel } from '../output.ts';
import type { MeasurementName } from '../units.ts';
import type { Connection } from './connection.ts';

/** Kinds of devices that a driver connects. */
export const deviceKinds = ['input', 'output', 'lcd'] as const;
export type DeviceKind = (typeof deviceKinds)[number];

export interface InputChannelOffer {
  channel: number;
  name: string;
  measurement: MeasurementName;
  /** Smallest step of the number that the driver reads, before it is scaled; absent where unknown. */
  resolution?: number;
}

export interface OutputChannelOffer {
  channel: number;
  name: string;
  kind: OutputChannel['kind'];
}

/** Searches for devices before they are set up; changes nothing. */
export interface DriverSearch<Query = unknown, Found = unknown> {
  /** Where it searches, in a line for the documentation. */
  readonly summary: string;
  readonly query: z.ZodType<Query>;
  readonly example: Query;
  readonly found: z.ZodType<Found>;
}

/**
 * A driver as everything but its own folder knows it: the list of them is the source of what the service stores, the
 * forms, the daemon's families, the searches of the REST interface and the documentation. Its texts on the screens are
 * in `renderer/i18n`.
 */
export interface Driver<Options = Readonly<Record<string, unknown>>> {
  readonly title: string;
  /** One sentence for the list of drivers. */
  readonly summary: string;
  /** Every number with its unit, range and default. */
  readonly options: z.ZodType<Options>;
  /**
   * Channels of an input with these options, ascending; none if they describe an actuator. Absent when the driver reads
   * nothing.
   */
  input?(options: Options): InputChannelOffer[];
  /** The same for outputs. Absent when the driver switches nothing. */
  output?(options: Options): OutputChannelOffer[];
  /** It shows line sets: its options include `displayOptions`. */
  readonly isDisplay?: true;
  /** By which a device with these options is reached. Absent when devices of this driver share none. */
  connection?(options: Options): Connection;
  /**
   * Options that determine where a password is sent and who can read it there: a stored one does not move to another
   * place.
   */
  readonly place?: readonly (keyof Options & string)[];
  readonly search?: DriverSearch;
}

/** For a device that falls safe by itself. */
export const dead_man_s = z
  .number()
  .min(1)
  .max(3_600)
  .describe('A device that is not fed for so long falls to its safe state by itself, in s');

/** Ascending by channel. */
export function sorted<Entry extends { channel: number }>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => one.channel - other.channel);
}

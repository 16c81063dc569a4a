import { deviceSays } from '../../../../contract/device-words.ts';
import type { ControlMeasurement } from '../../../../contract/pid.ts';
import type { OutputCommand } from '../../../../contract/daemon.ts';
import type { OutputRef } from '../../../../contract/output.ts';
import type { Place } from '../../../solar/sun-day.ts';
import type { Reason } from '../../../../contract/reason.ts';
import type { Tanks } from './tanks.ts';
import type { Quantity } from '../derived.ts';

/** What a function can read and drive. */
export interface Sight {
  /** A good and young enough value; null when there is none. */
  read: (series: ControlMeasurement) => Quantity | null;
  drive: Drive;
}

/** The outputs of a function. */
export interface Drive {
  readonly isDriving: boolean;
  /**
   * Claims the output and commands it. Returns the failure, null when there was none; throws when another controller
   * drives it.
   */
  ask(output: OutputRef, wanted: Pick<OutputCommand, 'state' | 'volume_ml'>, reason: Reason): Promise<string | null>;
  /** Drives them safe and keeps them. */
  makeSafe(): Promise<void>;
}

/** The result of one tick. */
export interface Found {
  /** By channel; null while unknown. */
  values: readonly (Quantity | null)[];
  /** The value it acts on, when it stores none. */
  shown?: Quantity | null;
  is_on?: boolean | null;
  reason?: Reason | null;
  /** Something that takes time, by the time of day. */
  progress?: { what: 'mixing' | 'locked' | 'window'; since_ms: number; until_ms: number } | null;
  /** What is wrong; null when nothing is. */
  failure: string | null;
}

/** A running function: its memory, and its behaviour at each tick. */
export interface Law<Options> {
  look(options: Options, sight: Sight): Found | Promise<Found>;
  /** What must outlive a restart, as JSON data. */
  state?: () => unknown;
  /** Clears its sums, or what it has stopped for. */
  reset?: () => void;
}

/** What a law has beside its inputs. */
export interface LawSite {
  /** Id of the function. */
  id: string;
  /** What the last daemon stored of it; undefined when there is nothing. */
  kept: unknown;
  /** Epoch ms. */
  now: () => number;
  place: () => Place;
  tanks: Pick<Tanks, 'tell' | 'others'>;
  /** Resolves once it is on disk. */
  remember: (state: unknown) => Promise<void>;
}

export const missing = deviceSays('function_blind');

/** A law without memory: a value calculated from the present readings. */
export function derived<Options>(
  formula: (options: Options, read: Sight['read']) => Quantity | null,
): () => Law<Options> {
  return () => ({
    look: (options, { read }) => {
      const value = formula(options, read);
      return { values: [value], failure: value === null ? missing : null };
    },
  });
}

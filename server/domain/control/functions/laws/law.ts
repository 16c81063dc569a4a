import type { ControlMeasurement } from '../../../../contract/pid.ts';
import type { OutputCommand } from '../../../../contract/daemon.ts';
import type { OutputRef } from '../../../../contract/output.ts';
import type { Place } from '../../../solar/sun-day.ts';
import type { Reason } from '../../../../contract/reason.ts';
import type { Tanks } from './tanks.ts';
import type { Quantity } from '../derived.ts';

/** What a function can look at and do. */
export interface Sight {
  /** Good and young enough; null where it is not. */
  read: (series: ControlMeasurement) => Quantity | null;
  drive: Drive;
}

/** The outputs of a function. */
export interface Drive {
  readonly isDriving: boolean;
  /** Claims the output and tells it what to do. Returns what failed, null where nothing did; throws where another drives it. */
  ask(output: OutputRef, wanted: Pick<OutputCommand, 'state' | 'volume_ml'>, reason: Reason): Promise<string | null>;
  /** Drives them safe and keeps them. */
  makeSafe(): Promise<void>;
}

/** What a function found at one look. */
export interface Found {
  /** By channel; null while it is not known. */
  values: readonly (Quantity | null)[];
  /** What it goes by where it stores nothing. */
  shown?: Quantity | null;
  is_on?: boolean | null;
  reason?: Reason | null;
  /** What takes time, by the time of day. */
  progress?: { what: 'mixing' | 'locked' | 'window'; since_ms: number; until_ms: number } | null;
  /** What is wrong; null where nothing is. */
  failure: string | null;
}

/** One function of a kind at work: what it remembers, and what it does at each look. */
export interface Law<Options> {
  look(options: Options, sight: Sight): Found | Promise<Found>;
  /** What must outlive a restart, as JSON has it. */
  state?: () => unknown;
  /** Begins anew what it has added up or stopped for. */
  reset?: () => void;
}

/** What a law has beside what it looks at. */
export interface LawSite {
  /** Of the function. */
  id: string;
  /** What the last daemon kept of it; undefined where there is nothing. */
  kept: unknown;
  /** Epoch ms. */
  now: () => number;
  place: () => Place;
  tanks: Pick<Tanks, 'tell' | 'others'>;
  /** Resolves when the disk has it. */
  remember: (state: unknown) => Promise<void>;
}

export const missing = 'a measurement is missing, bad, too old or of another unit';

/** What remembers nothing: a value that is worked out of what is read now. */
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

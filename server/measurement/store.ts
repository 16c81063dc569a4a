import type { storeConditions } from '../contract/alarm-text.ts';
import type { LastValue } from '../contract/measurement.ts';
import type { OutputOrigin } from '../contract/output.ts';

/** One reading to keep, in the unit of its channel. */
export type Sample = LastValue;

/** The state of an output channel at a moment: 0 off, 100 on, between them a position or duty cycle in %, null unknown. */
export interface StateMark {
  output_id: string;
  channel: number;
  state: number | null;
  time_ms: number;
  /** Who or what drives it there; null where nobody does. */
  origin: OutputOrigin | null;
}

/** How long something is kept, days: at least one, rollups at least as long as samples. */
export interface Retention {
  raw_days: number;
  rollup_days: number;
}

/** What is kept for another time than the rest. */
export interface ChannelRetention extends Retention {
  device_id: string;
  measurement_id: string;
  channel: number;
}

export const defaultRetention: Retention = { raw_days: 400, rollup_days: 3_650 };

/** Something about the store that somebody should know of; told when it begins and when it is over. */
export interface StoreCondition {
  code: (typeof storeConditions)[number];
  is_active: boolean;
  /** One sentence for people. */
  message: string;
}

/** What the store takes and what is left where it lies, bytes. */
export interface StoreSpace {
  database_bytes: number;
  free_bytes: number;
}

export type ConditionListener = (condition: StoreCondition) => void;

/** Samples that are not on disk. `code` is SQLite's or the system's, `overloaded`, `writer_stopped` or `closed`. */
export class MeasurementWriteError extends Error {
  readonly code: string;
  /** They wait in memory and are written when the disk takes them. */
  readonly isWaiting: boolean;

  constructor(code: string, message: string, { isWaiting = false } = {}) {
    super(message);
    this.name = 'MeasurementWriteError';
    this.code = code;
    this.isWaiting = isWaiting;
  }
}

/** Where the daemon puts its readings and the states of its outputs. */
export interface MeasurementWriter {
  /**
   * Keeps the samples, in order; resolves when they are durable, rejects with a `MeasurementWriteError` when the disk does not
   * take them. Then they wait in memory, as many as fit there, and are written when it does.
   */
  write(samples: readonly Sample[]): Promise<void>;
  /** Keeps in which states outputs are, in order; to say the same state again vouches for it. As `write` otherwise. */
  mark(states: readonly StateMark[]): Promise<void>;
  /** Begins to delete what is too old at `nowMs`, little by little behind everything else. */
  retain(exceptions: readonly ChannelRetention[], nowMs: number): void;
  /** Looks through the file behind everything else; a damaged one is replaced, and what can be read of it is kept. */
  check(): Promise<void>;
  /** Writes what is waiting and lets go of the file; may be called twice. */
  close(): Promise<void>;
}

/** What wants samples and nothing else of a store. */
export type SampleSink = Pick<MeasurementWriter, 'write'>;

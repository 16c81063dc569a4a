import type { storeConditions } from '../contract/alarm-text.ts';
import type { LastValue } from '../contract/measurement.ts';
import type { OutputOrigin } from '../contract/output.ts';

/** One reading to store, in the unit of its channel. */
export type Sample = LastValue;

/**
 * The state of an output channel at a moment: 0 off, 100 on, between them a position or duty cycle in %, null unknown.
 */
export interface StateMark {
  output_id: string;
  channel: number;
  state: number | null;
  time_ms: number;
  /** Who or what drives it there; null when nothing does. */
  origin: OutputOrigin | null;
}

/** Retention in days: at least one, rollups at least as long as samples. */
export interface Retention {
  raw_days: number;
  rollup_days: number;
}

/** A channel's own retention. */
export interface ChannelRetention extends Retention {
  device_id: string;
  measurement_id: string;
  channel: number;
}

export const defaultRetention: Retention = { raw_days: 400, rollup_days: 3_650 };

/** A noteworthy condition of the store; reported when it begins and when it is over. */
export interface StoreCondition {
  code: (typeof storeConditions)[number];
  is_active: boolean;
  /** One sentence for people. */
  message: string;
}

/** The size of the store and the free space on its disk, bytes. */
export interface StoreSpace {
  database_bytes: number;
  free_bytes: number;
}

export type ConditionListener = (condition: StoreCondition) => void;

/** Samples that are not on disk. `code` is SQLite's or the system's, `overloaded`, `writer_stopped` or `closed`. */
export class MeasurementWriteError extends Error {
  readonly code: string;
  /** They wait in memory and are written when the disk accepts them. */
  readonly isWaiting: boolean;

  constructor(code: string, message: string, { isWaiting = false } = {}) {
    super(message);
    this.name = 'MeasurementWriteError';
    this.code = code;
    this.isWaiting = isWaiting;
  }
}

/** Stores the daemon's readings and the states of its outputs. */
export interface MeasurementWriter {
  /**
   * Stores the samples, in order; resolves when they are on disk, rejects with a `MeasurementWriteError` when the disk
   * refuses them. Then they wait in memory, as many as fit there, and are written when it accepts them.
   */
  write(samples: readonly Sample[]): Promise<void>;
  /** Stores the states of outputs, in order; repeating a state confirms it. Otherwise like `write`. */
  mark(states: readonly StateMark[]): Promise<void>;
  /** Starts to delete what is too old at `nowMs`, gradually in the background. */
  retain(exceptions: readonly ChannelRetention[], nowMs: number): void;
  /** Checks the file in the background; a damaged one is replaced, and what can be read from it is kept. */
  check(): Promise<void>;
  /** Writes what is waiting and releases the file; may be called twice. */
  close(): Promise<void>;
}

/** For callers that need only to write samples. */
export type SampleSink = Pick<MeasurementWriter, 'write'>;

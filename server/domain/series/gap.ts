/** Periods without a sample that make a gap: one late or failed reading is none. */
const silentPeriods = 3;
/** The gap when the sensor's period is unknown, s. */
const defaultGap_s = 900;

/** How long an input with this period may be silent before its line is broken, s. */
export function gap_s(period_s: number | undefined): number {
  return period_s === undefined ? defaultGap_s : silentPeriods * period_s;
}

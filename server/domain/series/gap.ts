/** So many periods without a sample are a gap: one reading that came late or failed is none. */
const silentPeriods = 3;
/** The gap where nothing says how often the sensor measures, s. */
const defaultGap_s = 900;

/** How long an input with this period may be silent before its line is broken, s. */
export function gap_s(period_s: number | undefined): number {
  return period_s === undefined ? defaultGap_s : silentPeriods * period_s;
}

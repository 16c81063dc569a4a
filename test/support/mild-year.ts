/** A year of weather as CSV: always ten degrees and a little sun. */
export const mildYear = [
  'temp_c,humidity_pct,global_radiation_w_m2',
  ...Array.from({ length: 8_760 }, () => '10,70,50'),
].join('\n');

/** The part of jStat that is used; it ships without types. */
declare module 'jstat' {
  const jStat: {
    studentt: {
      /** Quantile of Student's t. */
      inv: (probability: number, degrees: number) => number;
    };
    normal: { cdf: (x: number, mean: number, sd: number) => number };
    gammafn: (x: number) => number;
  };
  export default jStat;
}

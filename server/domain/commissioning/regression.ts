import jStat from 'jstat';
import { inverse, Matrix } from 'ml-matrix';

export interface Coefficient {
  estimate: number;
  /** Standard error. */
  error: number;
}

export interface Fit {
  coefficients: Coefficient[];
  /** Standard deviation of what the model leaves. */
  residual: number;
  /** Sum of squares that is left, and what unusual coefficients cost: the less, the likelier. */
  left: number;
  degrees: number;
}

/** Fewest degrees of freedom that carry a verdict. */
const leastDegrees = 5;
/** Highest autocorrelation that is reckoned with: beyond it the errors are a trend. */
const mostCorrelated = 0.8;
/** Makes what cannot be told apart uncertain instead of impossible. */
const ridge = 1e-9;

/**
 * Least squares of values over columns, with errors that follow each other: the autocorrelation of the residuals is taken out of values
 * and columns and they are fitted again (Prais & Winsten 1954; Cochrane & Orcutt 1949). Null with too few values. `floor` is the least
 * standard deviation of one value, its resolution; `usual` what a coefficient usually is at most, its standard deviation about 0, for
 * the first columns (ridge regression, Hoerl & Kennard 1970; mixed estimation, Theil & Goldberger 1961).
 */
export function regress(
  values: readonly number[],
  columns: readonly (readonly number[])[],
  { floor, usual = [] }: { floor: number; usual?: readonly number[] },
): Fit | null {
  const degrees = values.length - columns.length;
  if (degrees < leastDegrees) return null;
  const free = solve(values, columns, []);
  const noise = Math.max(floor, Math.sqrt(sumOfSquares(free.residuals) / degrees));
  const weights = usual.map((one) => (noise / one) ** 2);
  const plain = solve(values, columns, weights);
  // The residuals of few values look less alike than the errors are.
  const share = columns.length / values.length;
  const rho = Math.min(mostCorrelated, Math.max(0, autocorrelation(plain.residuals) + share * (1 - share)));
  const whiten = (list: readonly number[]): number[] =>
    list.map((one, index) => (index === 0 ? Math.sqrt(1 - rho ** 2) * one : one - rho * (list[index - 1] ?? 0)));
  const white = solve(whiten(values), columns.map(whiten), weights);
  const variance = Math.max(sumOfSquares(white.residuals) / degrees, floor ** 2);
  return {
    coefficients: white.coefficients.map((estimate, index) => ({
      estimate,
      error: Math.sqrt(variance * Math.max(0, white.spread[index] ?? 0)),
    })),
    residual: Math.sqrt(sumOfSquares(plain.residuals) / degrees),
    left:
      sumOfSquares(plain.residuals) +
      weights.reduce((sum, weight, index) => sum + weight * (plain.coefficients[index] ?? 0) ** 2, 0),
    degrees,
  };
}

/** How many standard errors lie within a one-sided probability. */
export function quantile(probability: number, degrees: number): number {
  return jStat.studentt.inv(probability, degrees);
}

function solve(values: readonly number[], columns: readonly (readonly number[])[], weights: readonly number[]) {
  const scales = columns.map((column) => Math.sqrt(sumOfSquares(column)) || 1);
  const x = new Matrix(
    values.map((_, row) => columns.map((column, index) => (column[row] ?? 0) / (scales[index] ?? 1))),
  );
  const y = Matrix.columnVector([...values]);
  const normal = x
    .transpose()
    .mmul(x)
    .add(Matrix.diag(scales.map((scale, index) => ridge + (weights[index] ?? 0) / scale ** 2)));
  const covariance = inverse(normal);
  const solution = covariance.mmul(x.transpose().mmul(y));
  const residuals = y.sub(x.mmul(solution)).to1DArray();
  return {
    residuals,
    coefficients: scales.map((scale, index) => solution.get(index, 0) / scale),
    spread: scales.map((scale, index) => covariance.get(index, index) / scale ** 2),
  };
}

function autocorrelation(residuals: readonly number[]): number {
  const total = sumOfSquares(residuals);
  if (total === 0) return 0;
  return residuals.slice(1).reduce((sum, one, index) => sum + one * (residuals[index] ?? 0), 0) / total;
}

function sumOfSquares(list: readonly number[]): number {
  return list.reduce((sum, one) => sum + one ** 2, 0);
}

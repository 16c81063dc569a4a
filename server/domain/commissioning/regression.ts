import jStat from 'jstat';
import { inverse, Matrix } from 'ml-matrix';

export interface Coefficient {
  estimate: number;
  /** Standard error. */
  error: number;
}

export interface Fit {
  coefficients: Coefficient[];
  /** Standard deviation of what the model does not explain. */
  residual: number;
  /** Remaining sum of squares, plus the cost of unusual coefficients: the smaller, the likelier. */
  left: number;
  degrees: number;
}

/** The prior of a coefficient: its mean and standard deviation, infinite without prior knowledge. */
export interface Usual {
  mean: number;
  sd: number;
}

/** Minimum degrees of freedom for a verdict. */
const leastDegrees = 5;
/** Highest autocorrelation that is assumed: beyond it the errors are a trend. */
const mostCorrelated = 0.8;
/** Makes indistinguishable columns uncertain instead of unsolvable. */
const ridge = 1e-9;

/**
 * Least squares of values over columns, with correlated errors: the autocorrelation of the residuals is removed from
 * values and columns and they are fitted again (Prais & Winsten 1954; Cochrane & Orcutt 1949). null with too few
 * values. `floor` is the minimum standard deviation of one value, its resolution; `usual` holds the priors of the first
 * columns' coefficients (mixed estimation, Theil & Goldberger 1961). Each coefficient is estimated from the values and
 * the priors of the others, not its own.
 */
export function regress(
  values: readonly number[],
  columns: readonly (readonly number[])[],
  { floor, usual = [] }: { floor: number; usual?: readonly Usual[] },
): Fit | null {
  const degrees = values.length - columns.length;
  if (degrees < leastDegrees) return null;
  const free = solve(values, columns, []);
  const noise = Math.max(floor, Math.sqrt(sumOfSquares(free.residuals) / degrees));
  const known = usual.map(({ mean, sd }) => ({ mean, weight: (noise / sd) ** 2 }));
  const plain = solve(values, columns, known);
  // The residuals of few values look less correlated than the errors are.
  const share = columns.length / values.length;
  const rho = Math.min(mostCorrelated, Math.max(0, autocorrelation(plain.residuals) + share * (1 - share)));
  const whiten = (list: readonly number[]): number[] =>
    list.map((one, index) => (index === 0 ? Math.sqrt(1 - rho ** 2) * one : one - rho * (list[index - 1] ?? 0)));
  const white = solve(whiten(values), columns.map(whiten), known);
  const variance = Math.max(sumOfSquares(white.residuals) / degrees, floor ** 2);
  return {
    coefficients: white.coefficients.map((estimate, index) => {
      const own = withoutItsOwn({ estimate, spread: white.spread[index] ?? 0 }, known[index]);
      return { estimate: own.estimate, error: Math.sqrt(variance * Math.max(0, own.spread)) };
    }),
    residual: Math.sqrt(sumOfSquares(plain.residuals) / degrees),
    left:
      sumOfSquares(plain.residuals) +
      known.reduce((sum, { mean, weight }, index) => sum + weight * ((plain.coefficients[index] ?? 0) - mean) ** 2, 0),
    degrees,
  };
}

/** A coefficient with its own prior removed again (Sherman & Morrison 1950). */
function withoutItsOwn({ estimate, spread }: { estimate: number; spread: number }, known: Known | undefined) {
  if (known === undefined) return { estimate, spread };
  const { mean, weight } = known;
  const rest = Math.max(1 - weight * spread, ridge);
  return { estimate: (estimate - weight * spread * mean) / rest, spread: spread / rest };
}

/** Standard errors within a one-sided probability. */
export function quantile(probability: number, degrees: number): number {
  return jStat.studentt.inv(probability, degrees);
}

/** The prior of a coefficient, as a measured value: `weight` relative to the other values. */
interface Known {
  mean: number;
  weight: number;
}

function solve(values: readonly number[], columns: readonly (readonly number[])[], known: readonly Known[]) {
  const scales = columns.map((column) => Math.sqrt(sumOfSquares(column)) || 1);
  const x = new Matrix(
    values.map((_, row) => columns.map((column, index) => (column[row] ?? 0) / (scales[index] ?? 1))),
  );
  const y = Matrix.columnVector([...values]);
  const normal = x
    .transpose()
    .mmul(x)
    .add(Matrix.diag(scales.map((scale, index) => ridge + (known[index]?.weight ?? 0) / scale ** 2)));
  const covariance = inverse(normal);
  const pull = Matrix.columnVector(
    scales.map((scale, index) => ((known[index]?.weight ?? 0) * (known[index]?.mean ?? 0)) / scale),
  );
  const solution = covariance.mmul(x.transpose().mmul(y).add(pull));
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

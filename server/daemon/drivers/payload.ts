/** Decimal as people and devices write it; not hexadecimal, and not Infinity. */
const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const longestScalar = 200;

const truths: Readonly<Record<string, number>> = { on: 1, true: 1, off: 0, false: 0 };

/**
 * The word or number at a path of a message, as text; undefined when the message lacks it, null when it is unreadable.
 * Paths are dotted, or JSON pointers (RFC 6901); without one the whole message counts.
 */
export function textAt(payload: Buffer, path: string | undefined): string | null | undefined {
  if (path === undefined) return scalar(payload.length > longestScalar ? null : payload.toString('utf8').trim());
  try {
    return scalar(follow(JSON.parse(payload.toString('utf8')), stepsOf(path)));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The number at a path: true and on are 1, false and off are 0. Missing and unreadable as in `textAt`. */
export function numberAt(payload: Buffer, path: string | undefined): number | null | undefined {
  const text = textAt(payload, path);
  if (text === undefined || text === null) return text;
  const truth = text.toLowerCase();
  if (Object.hasOwn(truths, truth)) return truths[truth];
  const number = decimal.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : null;
}

function stepsOf(path: string): string[] {
  if (!path.startsWith('/')) return path.split('.');
  const steps = path.slice(1).split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function follow(message: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((at, step) => {
    if (typeof at !== 'object' || at === null) return undefined;
    return Object.entries(at).find(([key]) => key === step)?.[1]; // nothing that is inherited, nor the length of a list
  }, message);
}

function scalar(value: unknown): string | null | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value.length > longestScalar ? null : value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

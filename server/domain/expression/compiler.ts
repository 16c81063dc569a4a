import type { AnyNode, CallExpression, ConditionalExpression, Expression, Identifier, Literal } from 'acorn';
import { functions, operators, type Operation, type Value, type ValueType } from './operations.ts';
import { faultOf, type StatementFault, type StatementFaultCode } from '../../contract/statement.ts';
import { placeOf } from './syntax.ts';

/** Values by the index of their names, and the remaining steps. */
export interface Frame {
  values: Value[];
  steps: number;
}

type Evaluate = (frame: Frame) => Value;

/** A part of a text that has a value. Without a type it is faulty, which has been reported. */
export interface Part {
  type: ValueType | undefined;
  evaluate: Evaluate;
}

/** The run exceeded its steps. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

export const missingName = 'missing';
/** Words of the language itself, which nothing else may be called. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...functions.keys(),
  missingName,
  'otherwise',
  'run',
  'let',
  'undefined',
]);

/** Maximum nesting: far below what the stack of a thread holds. */
const deepest = 250;

const faulty: Part = { type: undefined, evaluate: () => null };

/** Compiles expressions of a syntax tree. JavaScript outside the language is a fault, and is never run. */
export class ExpressionCompiler {
  readonly faults: StatementFault[] = [];
  #names: Map<string, { place: number; type: ValueType | undefined }>;
  readonly #mostParts: number;
  #places: number;
  #parts = 0;
  #depth = 0;
  #isRefused = false;

  /** `names` in the order of their values. */
  constructor(names: ReadonlyMap<string, ValueType>, mostParts: number) {
    this.#names = new Map([...names].map(([name, type], place) => [name, { place, type }]));
    this.#places = names.size;
    this.#mostParts = mostParts;
  }

  /** Assigns an index to a new name. */
  declare(name: string, type: ValueType | undefined): number {
    const place = this.#places;
    this.#places += 1;
    this.#names.set(name, { place, type });
    return place;
  }

  /** Names that are declared inside are forgotten at the end. */
  scoped<Result>(within: () => Result): Result {
    const outer = this.#names;
    this.#names = new Map(outer);
    const result = within();
    this.#names = outer;
    return result;
  }

  knows(name: string): boolean {
    return this.#names.has(name);
  }

  fault(node: AnyNode, code: StatementFaultCode, values: Readonly<Record<string, string>> = {}): Part {
    this.faults.push(faultOf(placeOf(node), code, values));
    return faulty;
  }

  /** Compiles a part unless there are too many or it is too deep, which is reported once. */
  counted<Compiled>(node: AnyNode, otherwise: Compiled, compile: () => Compiled): Compiled {
    this.#parts += 1;
    if (this.#parts > this.#mostParts) return this.#refused(node, otherwise, 'too_many_parts');
    if (this.#depth > deepest) return this.#refused(node, otherwise, 'too_deep');
    this.#depth += 1;
    const compiled = compile();
    this.#depth -= 1;
    return compiled;
  }

  #refused<Compiled>(node: AnyNode, otherwise: Compiled, code: StatementFaultCode): Compiled {
    if (!this.#isRefused) this.fault(node, code, { most: String(this.#mostParts) });
    this.#isRefused = true;
    return otherwise;
  }

  compile(node: Expression): Part {
    return this.counted(node, faulty, () => this.#compile(node));
  }

  #compile(node: Expression): Part {
    switch (node.type) {
      case 'Literal':
        return this.#literal(node);
      case 'Identifier':
        return this.#variable(node);
      case 'ParenthesizedExpression':
        return this.compile(node.expression);
      case 'UnaryExpression':
        return this.#apply(node, `unary ${node.operator}`, operators, [node.argument]);
      case 'BinaryExpression':
        if (node.left.type === 'PrivateIdentifier') return this.fault(node, 'not_an_expression');
        return (
          this.#missingTest(node.operator, node.left, node.right) ??
          this.#apply(node, node.operator, operators, [node.left, node.right])
        );
      case 'LogicalExpression':
        return this.#logic(node, node.operator, node.left, node.right);
      case 'CallExpression':
        return this.#call(node);
      case 'ConditionalExpression':
        return this.#choose(node);
      default:
        return this.fault(node, 'not_an_expression');
    }
  }

  compileAs(type: ValueType, node: Expression): Part {
    const part = this.compile(node);
    if (part.type === undefined || part.type === type) return part;
    return this.fault(node, 'other_type', { needed: type, found: part.type });
  }

  #literal(node: Literal): Part {
    const { value } = node;
    if (typeof value === 'number' && !Number.isFinite(value)) return this.fault(node, 'number_too_large');
    if (typeof value === 'number' || typeof value === 'boolean')
      return { type: typeof value === 'number' ? 'number' : 'boolean', evaluate: () => value };
    return this.fault(node, 'not_a_number', { text: (node.raw ?? 'it').slice(0, 100) });
  }

  #variable(node: Identifier): Part {
    const known = this.#names.get(node.name);
    if (known === undefined) {
      const names = [...this.#names.keys()].join(', ');
      return this.fault(node, names === '' ? 'no_names' : 'unknown_name', { name: node.name, known: names });
    }
    const { place, type } = known;
    return { type, evaluate: ({ values }) => values[place] ?? null };
  }

  /** `x == missing` and `x != missing` are known for every value. */
  #missingTest(operator: string, left: Expression, right: Expression): Part | undefined {
    const isMissing = (node: Expression): boolean => node.type === 'Identifier' && node.name === missingName;
    if ((operator !== '==' && operator !== '!=') || isMissing(left) === isMissing(right)) return undefined;
    const { evaluate, type } = this.compile(isMissing(left) ? right : left);
    const wanted = operator === '==';
    return { type: type && 'boolean', evaluate: (frame) => (evaluate(frame) === null) === wanted };
  }

  /** Kleene's logic: if one side decides, the result is known even if the other is missing. */
  #logic(node: Expression, operator: string, first: Expression, second: Expression): Part {
    if (operator === '??') return this.fault(node, 'unknown_word', { name: '??' });
    const [left, right] = [this.compileAs('boolean', first), this.compileAs('boolean', second)];
    const settling = operator === '||';
    const evaluate: Evaluate = (frame) => {
      const one = left.evaluate(frame);
      if (one === settling) return settling;
      const other = right.evaluate(frame);
      return other === settling ? settling : one === null ? null : other;
    };
    return { type: left.type && right.type && 'boolean', evaluate };
  }

  #call(node: CallExpression): Part {
    const { callee } = node;
    if (callee.type !== 'Identifier') return this.fault(node, 'only_functions');
    const given: Expression[] = [];
    for (const one of node.arguments) {
      if (one.type === 'SpreadElement') return this.fault(one, 'not_an_expression');
      given.push(one);
    }
    return callee.name === 'otherwise'
      ? this.#otherwise(node, given)
      : this.#apply(node, callee.name, functions, given);
  }

  /** The first value, or the second if that is missing. */
  #otherwise(node: Expression, [first, second, more]: readonly Expression[]): Part {
    if (first === undefined || second === undefined || more !== undefined)
      return this.fault(node, 'two_values', { name: 'otherwise' });
    const value = this.compile(first);
    if (value.type === undefined) return faulty;
    const fallback = this.compileAs(value.type, second);
    return { type: fallback.type, evaluate: (frame) => value.evaluate(frame) ?? fallback.evaluate(frame) };
  }

  #apply(node: Expression, name: string, table: ReadonlyMap<string, Operation>, given: readonly Expression[]): Part {
    const operation = table.get(name);
    if (operation === undefined) return this.fault(node, 'unknown_word', { name: name.replace('unary ', '') });
    const { takes, least, most, gives, run } = operation;
    if (given.length < least || given.length > most) return this.fault(node, 'other_count', { name });
    const parts = given.map((one) => this.compileAs(takes, one));
    if (parts.some(({ type }) => type === undefined)) return faulty;
    return { type: gives, evaluate: applied(run, parts) };
  }

  #choose({ test, consequent, alternate }: ConditionalExpression): Part {
    const condition = this.compileAs('boolean', test);
    const then = this.compile(consequent);
    const other = then.type === undefined ? this.compile(alternate) : this.compileAs(then.type, alternate);
    if (condition.type === undefined || then.type === undefined || other.type === undefined) return faulty;
    const evaluate: Evaluate = (frame) => {
      const holds = condition.evaluate(frame);
      return holds === null ? null : holds === true ? then.evaluate(frame) : other.evaluate(frame);
    };
    return { type: then.type, evaluate };
  }
}

function applied(run: Operation['run'], parts: readonly Part[]): Evaluate {
  // The types of the values have been checked against those of the operation.
  const call = run as (...values: unknown[]) => number | boolean;
  return (frame) => {
    const values = parts.map(({ evaluate }) => evaluate(frame));
    if (values.includes(null)) return null;
    for (const value of values) if (Array.isArray(value)) spend(frame, value.length);
    const result = call(...values);
    return typeof result === 'number' && !Number.isFinite(result) ? null : result;
  };
}

/** Throws `BudgetError` when no steps are left. */
export function spend(frame: Frame, steps: number): void {
  frame.steps -= steps;
  if (frame.steps < 0) throw new BudgetError('took too many steps');
}

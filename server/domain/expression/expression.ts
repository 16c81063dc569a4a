import jsep from 'jsep';
import { functions, operators, type Operation, type ValueType } from './operations.ts';

/** Limits that no expression of a person reaches; there are no loops, so that the time is bounded by them too. */
const LONGEST = 500;
const MOST_PARTS = 200;

/** The text is not an expression of this language; the message is for the person who wrote it. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

export interface Expression {
  type: ValueType;
  /** The result for values of the variables, in the order in which they were named. A number may be infinite or none. */
  evaluate: Evaluate;
}

type Evaluate = (values: readonly number[]) => number | boolean;

interface Part {
  type: ValueType;
  evaluate: Evaluate;
}

/**
 * Compiles an expression over numbers: variables, numbers, + - * / % **, comparisons, && || !, `condition ? a : b` and the functions of
 * operations.ts. Types are checked here, so that evaluating never throws. Nothing of JavaScript can be reached: a name is a variable,
 * a function of that table or an error. Throws `ExpressionError`.
 */
export function compileExpression(text: string, variables: readonly string[]): Expression {
  if (text.length > LONGEST) throw new ExpressionError(`is longer than ${LONGEST} characters`);
  const compiler = new Compiler(variables);
  const { type, evaluate } = compiler.compile(parse(text));
  return { type, evaluate };
}

function parse(text: string): jsep.Expression {
  try {
    return jsep(text);
  } catch (error) {
    throw new ExpressionError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

class Compiler {
  readonly #variables: readonly string[];
  #parts = 0;

  constructor(variables: readonly string[]) {
    this.#variables = variables;
  }

  compile(parsed: jsep.Expression): Part {
    this.#parts += 1;
    if (this.#parts > MOST_PARTS) throw new ExpressionError(`has more than ${MOST_PARTS} parts`);
    const node = parsed as jsep.CoreExpression; // jsep without plug-ins gives no others
    switch (node.type) {
      case 'Literal':
        return literal(node);
      case 'Identifier':
        return this.#variable(node.name);
      case 'UnaryExpression':
        return this.#apply(`unary ${node.operator}`, operators, [node.argument]);
      case 'BinaryExpression':
        return this.#apply(node.operator, operators, [node.left, node.right]);
      case 'CallExpression':
        return this.#call(node);
      case 'ConditionalExpression':
        return this.#choose(node);
      default:
        throw new ExpressionError('is not one expression of numbers');
    }
  }

  #variable(name: string): Part {
    const place = this.#variables.indexOf(name);
    if (place === -1) throw new ExpressionError(`there is no ${name}, only ${this.#variables.join(', ')}`);
    return { type: 'number', evaluate: (values) => values[place] ?? NaN };
  }

  #call({ callee, arguments: given }: jsep.CallExpression): Part {
    const { name } = callee;
    if (callee.type !== 'Identifier' || typeof name !== 'string')
      throw new ExpressionError('only functions can be called');
    return this.#apply(name, functions, given);
  }

  #apply(name: string, table: ReadonlyMap<string, Operation>, given: readonly jsep.Expression[]): Part {
    const operation = table.get(name);
    if (operation === undefined) throw new ExpressionError(`${name.replace('unary ', '')} is not known here`);
    const { takes, least, most, gives, run } = operation;
    if (given.length < least || given.length > most)
      throw new ExpressionError(`${name} takes another number of values`);
    const parts = given.map((one) => this.#compileAs(takes, one));
    return { type: gives, evaluate: (values) => run(...parts.map(({ evaluate }) => Number(evaluate(values)))) };
  }

  #choose({ test, consequent, alternate }: jsep.ConditionalExpression): Part {
    const condition = this.#compileAs('boolean', test);
    const then = this.compile(consequent);
    const otherwise = this.#compileAs(then.type, alternate);
    return {
      type: then.type,
      evaluate: (values) => (condition.evaluate(values) === true ? then.evaluate(values) : otherwise.evaluate(values)),
    };
  }

  #compileAs(type: ValueType, parsed: jsep.Expression): Part {
    const part = this.compile(parsed);
    if (part.type !== type) throw new ExpressionError(`a ${type} is needed where a ${part.type} stands`);
    return part;
  }
}

function literal({ value, raw }: jsep.Literal): Part {
  if (typeof value !== 'number' && typeof value !== 'boolean') throw new ExpressionError(`${raw} is not a number`);
  return { type: typeof value === 'number' ? 'number' : 'boolean', evaluate: () => value };
}

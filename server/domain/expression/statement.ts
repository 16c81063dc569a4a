import type {
  BlockStatement,
  CallExpression,
  Expression,
  IfStatement,
  Program,
  Statement as Node,
  VariableDeclaration,
} from 'acorn';
import { BudgetError, ExpressionCompiler, reservedNames, spend, type Frame } from './compiler.ts';
import type { Value, ValueType } from './operations.ts';
import { amount, type Reading, type Reason } from '../../contract/reason.ts';
import type { StatementFault } from '../../contract/statement.ts';
import { placeOf, syntaxOf, type Place } from './syntax.ts';

/** Limits that no person's statement reaches. */
const longestStatement = 10_000;
const mostParts = 2_000;
/** The steps of one run: one for each statement, and for each number of a list that is read. */
const budget = 200_000;
const mostRuns = 100;
const longestCause = 200;

/** The names that a statement may use. A name cannot be both. */
export interface StatementNames {
  /** Conditions in the order of their values. */
  conditions: ReadonlyMap<string, ValueType>;
  actions: ReadonlySet<string>;
}

/** An action that a statement runs, and the condition behind it with the values of what that names. */
interface RunAction {
  action: string;
  value?: number | boolean;
  reason: Reason;
}

/** The result of a run. A stopped one keeps what it ran before. */
export interface StatementResult {
  runs: RunAction[];
  stopped?: Place & { reason: 'missing' | 'budget' };
}

export interface CompiledStatement {
  /**
   * Runs it once with the values of the conditions, null for a missing one; their units appear in its reasons. Never
   * throws, never takes long.
   */
  evaluate: (values: readonly Value[], units?: readonly (string | null)[]) => StatementResult;
}

type Step = (frame: Frame, run: Running) => void;
type Explain = (frame: Frame, units: Running['units'], found: number | boolean) => Reason;

interface Running {
  runs: RunAction[];
  /** For the conditions that lead here, the innermost last. */
  reasons: (() => Reason)[];
  units: readonly (string | null)[];
}

/** A value without which the statement cannot go on is missing. */
class MissingError extends Error {
  readonly place: Place;

  constructor(place: Place) {
    super('a value is missing');
    this.place = place;
  }
}

/** Compiles a statement; README.md describes the language. All faults are reported with line and column. */
export function compileStatement(text: string, names: StatementNames): CompiledStatement | StatementFault[] {
  const program = syntaxOf(text, longestStatement);
  if ('message' in program) return [program];
  const compiler = new StatementCompiler(text, names);
  const steps = program.body.map((node) => compiler.statement(node));
  if (compiler.faults.length > 0) return compiler.faults;
  return { evaluate: (values, units = []) => runOnce(steps, values, units) };
}

/** Whether something may have this name in a statement. */
export function isStatementName(name: string): boolean {
  if (!/^[A-Za-z_]\w{0,63}$/.test(name) || reservedNames.has(name)) return false;
  const program = syntaxOf(name, 64);
  return (
    !('message' in program) &&
    program.body[0]?.type === 'ExpressionStatement' &&
    program.body[0].expression.type === 'Identifier'
  );
}

function runOnce(steps: readonly Step[], values: readonly Value[], units: Running['units']): StatementResult {
  const running: Running = { runs: [], reasons: [], units };
  const frame: Frame = { values: values.map((value) => (Number.isNaN(value) ? null : value)), steps: budget };
  try {
    for (const step of steps) step(frame, running);
    return { runs: running.runs };
  } catch (error) {
    if (error instanceof MissingError) return { runs: running.runs, stopped: { ...error.place, reason: 'missing' } };
    if (error instanceof BudgetError) return { runs: running.runs, stopped: { line: 1, column: 1, reason: 'budget' } };
    throw error;
  }
}

class StatementCompiler {
  readonly #text: string;
  readonly #names: StatementNames;
  readonly #expressions: ExpressionCompiler;
  /** Conditions behind the names of a let. */
  readonly #locals = new Map<string, readonly string[]>();

  constructor(text: string, names: StatementNames) {
    this.#text = text;
    this.#names = names;
    this.#expressions = new ExpressionCompiler(names.conditions, mostParts);
  }

  get faults(): StatementFault[] {
    return this.#expressions.faults;
  }

  statement(node: Node | Program['body'][number]): Step {
    return this.#expressions.counted(node, nothing, () => this.#statement(node));
  }

  #statement(node: Node | Program['body'][number]): Step {
    switch (node.type) {
      case 'EmptyStatement':
        return nothing;
      case 'BlockStatement':
        return this.#block(node);
      case 'IfStatement':
        return this.#if(node);
      case 'VariableDeclaration':
        return this.#let(node);
      case 'ExpressionStatement': {
        const { expression } = node;
        const isRun =
          expression.type === 'CallExpression' &&
          expression.callee.type === 'Identifier' &&
          expression.callee.name === 'run';
        return isRun ? this.#run(expression) : this.#fault(node, 'does_nothing');
      }
      default:
        return this.#fault(node, 'not_a_statement');
    }
  }

  #block({ body }: BlockStatement): Step {
    const steps = this.#expressions.scoped(() => body.map((node) => this.statement(node)));
    return (frame, running) => {
      for (const step of steps) step(frame, running);
    };
  }

  #if({ test, consequent, alternate }: IfStatement): Step {
    const condition = this.#expressions.compileAs('boolean', test);
    const [then, other] = [this.statement(consequent), alternate ? this.statement(alternate) : nothing];
    const [explain, place] = [this.#explanation(test), placeOf(test)];
    return (frame, running) => {
      spend(frame, 1);
      const holds = condition.evaluate(frame);
      if (holds === null) throw new MissingError(place);
      running.reasons.push(() => explain(frame, running.units, holds === true));
      (holds === true ? then : other)(frame, running);
      running.reasons.pop();
    };
  }

  #let(node: VariableDeclaration): Step {
    const [{ id, init } = { id: undefined, init: undefined }, more] = node.declarations;
    if (node.kind === 'var' || id?.type !== 'Identifier' || !init || more !== undefined)
      return this.#fault(node, 'let_form');
    const part = this.#expressions.compile(init);
    if (this.#isTaken(id.name)) return this.#fault(id, 'name_taken', { name: id.name });
    this.#locals.set(id.name, this.#namedIn(init));
    const place = this.#expressions.declare(id.name, part.type);
    return (frame) => {
      spend(frame, 1);
      frame.values[place] = part.evaluate(frame);
    };
  }

  #run(node: CallExpression): Step {
    const [name, value, more] = node.arguments;
    if (name?.type !== 'Identifier' || value?.type === 'SpreadElement' || more !== undefined)
      return this.#fault(node, 'run_form');
    if (!this.#names.actions.has(name.name)) {
      const actions = [...this.#names.actions].join(', ');
      return this.#fault(name, actions === '' ? 'no_actions' : 'unknown_action', { name: name.name, known: actions });
    }
    const evaluate = value === undefined ? undefined : this.#runValue(value);
    const explain = value === undefined || this.#namedIn(value).length === 0 ? undefined : this.#explanation(value);
    const place = placeOf(value ?? node);
    return (frame, running) => {
      spend(frame, running.runs.length < mostRuns ? 1 : Infinity);
      const given = evaluate?.(frame);
      if (given === null) throw new MissingError(place);
      running.runs.push({
        action: name.name,
        ...(given !== undefined && { value: given }),
        reason: running.reasons.at(-1)?.() ??
          (given === undefined ? undefined : explain?.(frame, running.units, given)) ?? { code: 'each_run', facts: {} },
      });
    };
  }

  #runValue(node: Expression): (frame: Frame) => number | boolean | null {
    const part = this.#expressions.compile(node);
    if (part.type === 'list') this.#expressions.fault(node, 'list_given');
    return (frame) => {
      const value = part.evaluate(frame);
      return typeof value === 'number' || typeof value === 'boolean' ? value : null;
    };
  }

  /** The text of a condition, or of an action's value, with the values of what it names. */
  #explanation(node: Expression): Explain {
    const text = this.#textOf(node).replace(/\s+/g, ' ').slice(0, longestCause);
    const names = [...this.#names.conditions.keys()];
    const places = this.#namedIn(node).map((name) => ({ name, place: names.indexOf(name) }));
    return ({ values }, units, found) => {
      const readings = places.map(({ name, place }) => ({ name, ...readingOf(values[place] ?? null, units[place]) }));
      const said = { condition: { text }, readings: { readings } };
      return typeof found === 'number'
        ? { code: 'value_given', facts: { ...said, value: amount(found, '') } }
        : { code: found ? 'condition' : 'condition_not', facts: said };
    };
  }

  /** The conditions that a part names, directly or through a let; in the order of their values. */
  #namedIn(node: Expression): string[] {
    const text = this.#textOf(node);
    const isIn = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
    const behind = new Set([...this.#locals].flatMap(([name, conditions]) => (isIn(name) ? conditions : [])));
    return [...this.#names.conditions.keys()].filter((name) => behind.has(name) || isIn(name));
  }

  #textOf({ start, end }: Expression): string {
    return this.#text.slice(start, end);
  }

  #isTaken(name: string): boolean {
    return this.#expressions.knows(name) || this.#names.actions.has(name) || reservedNames.has(name);
  }

  #fault(...fault: Parameters<ExpressionCompiler['fault']>): Step {
    this.#expressions.fault(...fault);
    return nothing;
  }
}

const nothing: Step = () => undefined;

function readingOf(value: Value, unit: string | null | undefined): Omit<Reading, 'name'> {
  if (value === null || typeof value === 'boolean') return { value, unit: '' };
  return typeof value === 'number'
    ? { value: Number(value.toPrecision(6)), unit: unit ?? '' }
    : { value: value.length, unit: null };
}

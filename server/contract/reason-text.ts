import type { Reading, Reason, ReasonFact, ReasonWord } from './reason.ts';

/** How a language and a place write the facts of a reason. */
export interface ReasonWriter {
  quantity(value: number, unit: string): string;
  /** An ISO time, by the site's local time. */
  moment(at: string): string;
  word(word: ReasonWord | 'true' | 'false'): string;
  /** The number of values in a list. */
  values(count: number): string;
  list(all: readonly string[]): string;
}

/** The facts of a reason in words, by the placeholders of its sentence. Every sentence uses this. */
export function saidFacts({ facts }: Reason, writer: ReasonWriter): Record<string, string> {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, saidFact(fact, writer)]));
}

function saidFact(fact: ReasonFact, writer: ReasonWriter): string {
  if ('at' in fact) return writer.moment(fact.at);
  if ('word' in fact) return writer.word(fact.word);
  if ('text' in fact) return fact.text;
  if ('value' in fact) return writer.quantity(fact.value, fact.unit);
  const said = fact.readings.map((one) => `${one.name} = ${saidReading(one, writer)}`);
  return said.length === 0 ? '' : ` (${writer.list(said)})`; // behind code, whose brackets are those of all languages
}

function saidReading({ value, unit }: Reading, writer: ReasonWriter): string {
  if (value === null) return writer.word('missing');
  if (typeof value === 'boolean') return writer.word(value ? 'true' : 'false');
  return unit === null ? writer.values(value) : writer.quantity(value, unit);
}

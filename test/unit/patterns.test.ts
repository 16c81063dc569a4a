import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemasWithin } from '../support/contract-schemas.ts';

const root = join(import.meta.dirname, '../..');
const slow = 300_000;

interface Pattern {
  source: string;
  flags: string;
}

/** Of each pattern once: the contract has many that are written in the sources. */
const judged = new Map<string, Promise<string[]>>();

/** What is not shown to run in a time that grows with the length of the text alone, with a text that makes it slow. */
async function superlinear(patterns: Iterable<Pattern>): Promise<string[]> {
  const faults: string[] = [];
  for (const pattern of patterns) {
    const name = `/${pattern.source}/${pattern.flags}`;
    const found = judged.get(name) ?? attacksOn(name, pattern);
    judged.set(name, found);
    faults.push(...(await found));
  }
  return faults;
}

async function attacksOn(name: string, { source, flags }: Pattern): Promise<string[]> {
  if (isPlain(source)) return [];
  const guessed = await check(source, flags, { timeout: slow });
  if (guessed.status === 'safe') return [];
  // Where its random search believes in an attack, its slower proof has the last word.
  const found = await check(source, flags, { timeout: slow, checker: 'automaton' });
  if (found.status === 'safe') return [];
  return [`${name}: ${found.status === 'vulnerable' ? found.attack.pattern : found.error.kind}`];
}

function literalsOf(file: string): Pattern[] {
  const literals: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    const [, source, flags] = ts.isRegularExpressionLiteral(node) ? (/^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? []) : [];
    if (source !== undefined) literals.push({ source, flags: flags ?? '' });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return literals;
}

function sourceFiles(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(root, folder, name));
}

const modules = import.meta.glob<Record<string, unknown>>('../../server/contract/*.ts', { eager: true });
const formed = schemasWithin(Object.values(modules)).filter((schema) => patternsOf(schema).length > 0);

/** A schema of text has a form by its kind (a time), by its checks (a pattern), or none. */
function patternsOf({ def }: z.ZodType): RegExp[] {
  const forms = [def, ...(def.checks ?? []).map((one) => one._zod.def)] as { pattern?: RegExp }[]; // of what has a form
  return forms.flatMap(({ pattern }) => pattern ?? []);
}

/** Nothing in it repeats for ever: it reads no further than its longest match. */
function isBounded({ source }: Pick<RegExp, 'source'>): boolean {
  return !/(?<!\\)(?:[*+]|\{\d+,\})/.test(source.replace(/\[[^\]]*\]/g, '.'));
}

/** Bounded, and no group repeats: what is tried at one place of a text is as little as the pattern is long. */
function isPlain(source: string): boolean {
  return isBounded({ source }) && !/\)[{?]/.test(source);
}

describe('regular expressions', () => {
  it('of the sources run in linear time', { timeout: slow }, async () => {
    const literals = ['server', 'electron', 'renderer'].flatMap(sourceFiles).flatMap(literalsOf);
    expect(literals.length).toBeGreaterThan(100);
    expect(await superlinear(literals)).toEqual([]);
  });

  it('of the contract, put together or written, run in linear time', { timeout: slow }, async () => {
    expect(formed.length).toBeGreaterThan(20);
    expect(await superlinear(formed.flatMap(patternsOf))).toEqual([]);
  });

  it('of the contract are not tried on text that is too long already', () => {
    const open = formed.filter((schema) => schema instanceof z.ZodString && !patternsOf(schema).every(isBounded));
    expect(open.length).toBeGreaterThan(5);
    const tried = open.filter((schema) => {
      const longest = schema instanceof z.ZodString ? schema.maxLength : null;
      const { issues = [] } = schema.safeParse(' \0'.repeat((longest ?? 50_000) + 1)).error ?? {};
      return issues.some(({ code }) => code === 'invalid_format');
    });
    expect(tried.flatMap(patternsOf).map(String)).toEqual([]);
  });

  it.each([
    ['a host name', String.raw`^([0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)$`],
    ['certificates', String.raw`-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----`],
    ['what grows by itself', '^(a+)+$'],
  ])('of quadratic time and worse are found: %s', { timeout: slow }, async (_name, source) => {
    expect(await superlinear([{ source, flags: '' }])).toHaveLength(1);
  });
});

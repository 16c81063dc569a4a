import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { en } from '../../../../renderer/i18n/en/index.ts';

const root = join(import.meta.dirname, '../../../..');

function textOf(files: string): string {
  const written = globSync(files, { cwd: root }).filter((file) => !/i18n.(en|ko|ja)./.test(file));
  expect(written.length).toBeGreaterThan(30);
  return written.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
}

const keysOf = (messages: object, prefix = ''): string[] =>
  Object.entries(messages).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? keysOf(value, `${prefix}${key}.`) : [prefix + key],
  );

/** Beginnings and ends of the keys that templates write, as `map.conflict.deleted${side}`. */
function templatesIn(source: string): { start: string; end: string }[] {
  const written = new RegExp(`\`((?:${Object.keys(en).join('|')})\\.[\\w.]*)\\$\\{[^\`]*\\}([\\w.]*)\``, 'g');
  return [...source.matchAll(written)].map(([, start = '', end = '']) => ({ start, end }));
}

it('says each message somewhere', () => {
  const pages = textOf('{renderer/**,server/contract}/*.{ts,vue}'); // the contract words alarms
  const literal = new Set([...pages.matchAll(/['"`]([\w.]+)['"`]/g)].map(([, key]) => key));
  const templates = templatesIn(pages);
  // Forms made from a schema look up its names in the section of their page.
  const ofForms = /^(functions|methods)\.(fields|help|choices)\./;
  const fields = new Set(textOf('server/contract/**/*.ts').match(/\w+/g));
  const isUsed = (key: string): boolean =>
    literal.has(key) ||
    templates.some(({ start, end }) => key.startsWith(start) && key.endsWith(end)) ||
    (ofForms.test(key) && fields.has(key.split('.').at(-1) ?? ''));
  expect(keysOf(en).filter((key) => !isUsed(key))).toEqual([]);
});

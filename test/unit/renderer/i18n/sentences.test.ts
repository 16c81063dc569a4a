import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { messagesOf } from '../../../../renderer/i18n/index.ts';

const root = join(import.meta.dirname, '../../../../renderer');
/** More words after a space: in a template string, or in a page, there also with a condition or as a link. */
const moreWords = /^(?:\} \$\{| \}\}\s+(?:<a\s|<router-link\s|(?:<template v-(?:if|else)[^>]*>\s*)?\{\{))/;

/** Where `t(...)` of one of these keys, or of those under a prefix, is followed by a space and more words. */
function joined(source: string, isSentence: (key: string) => boolean): string[] {
  return [...source.matchAll(/\bt\((['`])([\w.]+)/g)].flatMap(({ index, 2: key = '' }) =>
    isSentence(key) && moreWords.test(source.slice(endOfCall(source, index + 1))) ? [key] : [],
  );
}

/** Index behind the bracket that closes the one at `from`. */
function endOfCall(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '(') depth += 1;
    if (source[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return source.length;
}

/** Whether a message is a sentence, or one under a prefix such as `backups.faults.`, to which a code is added. */
function endsSentence(messages: object, key: string): boolean {
  const found = key
    .split('.')
    .filter(Boolean)
    .reduce<unknown>((of, part) => (of as Record<string, unknown> | undefined)?.[part], messages); // by what it is looked up in
  return /。(?=\s*\||"|$)/.test(typeof found === 'string' ? found : JSON.stringify(found ?? ''));
}

it('leaves it to the language what stands between two sentences', async () => {
  const messages = await messagesOf('ja');
  const isSentence = (key: string): boolean => endsSentence(messages, key);
  const told = "`${t('shell.daemon.restarted', { time: format.dateTime(at) })} ${t('shell.daemon.reason')}`";
  expect(joined(told, isSentence)).toEqual(['shell.daemon.restarted']);
  expect(joined('{{ t(\'pipes.wasteHint\') }}\n <template v-if="x">{{ y }}', isSentence)).toEqual(['pipes.wasteHint']);
  expect(joined("{{ t('login.trust') }} <a href", isSentence)).toEqual(['login.trust']);
  expect(joined("{{ t('ui.save') }} {{ name }}", isSentence)).toEqual([]);
  const found = globSync('**/*.{ts,vue}', { cwd: root }).flatMap((file) =>
    joined(readFileSync(join(root, file), 'utf8'), isSentence).map((key) => `${file}: ${key}`),
  );
  expect(found, 'use sentences() of ui/sentences.ts').toEqual([]);
});

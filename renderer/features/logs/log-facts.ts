import type { LogEntry } from '../../../server/contract/log.ts';
import type { Translate } from '../../i18n/index.ts';
import type { Format } from '../../ui/format.ts';
import { leaves, type Leaf } from '../../ui/leaves.ts';

/** What belongs to a line of the log. */
export interface LogFact {
  /** As the program names it, `err.code`. */
  path: string;
  /** The same in the language of the page; null for what it does not know. */
  name: string | null;
  text: string;
}

/** What programs record most; everything else is shown under their own name. */
const known = [
  'user',
  'key_id',
  'ms',
  'request_id',
  'count',
  'lost',
  'reason',
  'fault',
  'outcome',
  'err.type',
  'err.message',
  'err.code',
  'err.stack',
] as const;
/** What was asked for stands in the place of a message. */
const told = ['method', 'path', 'status'];

/** Amounts have grouped digits; another number is a name, such as a port: searched and copied as it is. */
const amounts = ['ms', 'count', 'lost'];

/** What has nothing in it. */
const empty: readonly Leaf[] = [null, '', '{}', '[]'];

/** The details of a line without what is empty and what its message says. */
export function factsOf(
  detail: LogEntry['detail'],
  { t, format }: { t: Translate; format: Pick<Format, 'number' | 'withUnit'> },
): LogFact[] {
  const textOf = (path: string, value: Leaf): string => {
    if (typeof value === 'boolean') return t(value ? 'ui.yes' : 'ui.no');
    if (typeof value !== 'number' || !amounts.includes(path)) return String(value);
    return path === 'ms' ? format.withUnit(format.number(value), 'ms', value) : format.number(value);
  };
  return [...leaves(detail)]
    .filter(([path, value]) => !empty.includes(value) && !told.includes(path))
    .map(([path, value]) => {
      const word = known.find((one) => one === path);
      return { path, name: word === undefined ? null : t(`logs.facts.${word}`), text: textOf(path, value) };
    });
}

import { readFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import type { AnswerOf, QueryOf } from '../../contract/endpoint.ts';
import { refusePlainly } from '../../contract/errors.ts';
import { logLevels, logSources, type LogEntry, type logEndpoints } from '../../contract/log.ts';
import { logFile, keptLogs } from '../../db/log-files.ts';
import { rotatedFiles } from '../../db/rotating-file.ts';
import { withoutSecrets } from '../../log-secrets.ts';

type LogQuery = QueryOf<typeof logEndpoints.list>;

/** Where a page ended: entries up to that moment, without the first `taken` of the moment itself. */
interface Place {
  at: string;
  taken: number;
}

const longestPage = 1_000;
const longestMessage = 2_000;
/** After so many other work gets its turn. */
const linesATurn = 200;
/** pino's numbers (levels.values). */
const levelOf: Record<number, LogEntry['level']> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const line = z.looseObject({ level: z.number(), time: z.number(), msg: z.string().optional() });

/** Reads the logs of the data directory, file by file from the latest line backwards. */
export class LogService {
  readonly #directory: string;

  constructor({ directory }: { directory: string }) {
    this.#directory = directory;
  }

  /** Refuses a foreign cursor with `invalid_field`. */
  async list({
    level = 'info',
    source,
    contains,
    limit = longestPage,
    cursor,
  }: LogQuery): Promise<AnswerOf<typeof logEndpoints.list>> {
    const from = cursor === undefined ? null : placeOf(cursor);
    const wanted = contains?.toLowerCase();
    const worst = logLevels.indexOf(level);
    const logs: LogEntry[] = [];
    let passed = 0;
    for await (const entry of this.#latestFirst(source, wanted)) {
      if (logLevels.indexOf(entry.level) > worst) continue;
      if (from !== null && entry.at > from.at) continue;
      if (from !== null && entry.at === from.at && (passed += 1) <= from.taken) continue;
      if (logs.length === limit) return { logs, next_cursor: cursorAfter(logs, from) };
      logs.push(entry);
    }
    return { logs, next_cursor: null };
  }

  /** Of both programs, by time. */
  async *#latestFirst(source: LogQuery['source'], wanted: string | undefined): AsyncGenerator<LogEntry> {
    const sources = logSources
      .filter((one) => source === undefined || one === source)
      .map((one) => entriesOf(this.#directory, one, wanted));
    const heads = await Promise.all(sources.map((one) => one.next()));
    for (;;) {
      const at = heads.reduce<number | null>((best, { done, value }, index) => {
        if (done === true) return best;
        const champion = best === null ? undefined : heads[best]?.value;
        return champion === undefined || value.at > champion.at ? index : best;
      }, null);
      const entry = at === null ? undefined : heads[at]?.value;
      const next = at === null ? undefined : sources[at];
      if (at === null || entry === undefined || next === undefined) return;
      yield entry;
      heads[at] = await next.next();
    }
  }
}

/** Those that contain `wanted`, in lower case, in their message or details. */
async function* entriesOf(
  directory: string,
  source: LogEntry['source'],
  wanted: string | undefined,
): AsyncGenerator<LogEntry, undefined> {
  // As a line of JSON contains it: only such a line is worth parsing.
  const escaped = wanted && JSON.stringify(wanted).slice(1, -1);
  let passed = 0;
  for (const file of rotatedFiles(logFile(directory, source), keptLogs)) {
    const text = await readFile(file, 'utf8').catch(() => ''); // none yet, or just rotated
    for (const one of text.split('\n').reverse()) {
      if ((passed += 1) % linesATurn === 0) await turn();
      if (one === '' || (escaped !== undefined && !one.toLowerCase().includes(escaped))) continue;
      const entry = entryOf(one, source);
      if (entry !== undefined && (wanted === undefined || says(entry, wanted))) yield entry;
    }
  }
}

/** Names of details do not count: each is in nearly every line. */
function says({ message, detail }: LogEntry, wanted: string): boolean {
  const visit = (value: unknown): boolean =>
    typeof value === 'object' && value !== null
      ? Object.values(value).some(visit)
      : String(value).toLowerCase().includes(wanted);
  return visit(message) || visit(detail);
}

/** undefined for a damaged line. */
function entryOf(text: string, source: LogEntry['source']): LogEntry | undefined {
  try {
    // Secrets are filtered when writing; a file of an older program may contain more.
    const {
      level,
      time,
      msg = '',
      pid: _pid,
      hostname: _host,
      ...detail
    } = line.parse(JSON.parse(withoutSecrets(text)));
    const at = new Date(time).toISOString();
    return {
      at,
      source,
      level: levelOf[level] ?? 'info',
      message: msg.slice(0, longestMessage),
      detail: detail as LogEntry['detail'],
    }; // of JSON
  } catch {
    return undefined;
  }
}

function cursorAfter(logs: readonly LogEntry[], from: Place | null): string {
  const { at = '' } = logs.at(-1) ?? {};
  const here = logs.filter((one) => one.at === at).length;
  return `${at}~${here + (from?.at === at ? from.taken : 0)}`;
}

function placeOf(cursor: string): Place {
  const [, at, taken] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~(\d{1,6})$/.exec(cursor) ?? [];
  if (at === undefined) throw refusePlainly('invalid_field', 'cursor', 'is not one that was given out');
  return { at, taken: Number(taken) };
}

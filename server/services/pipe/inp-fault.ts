/** A fault that EPANET finds in a network, and its line of the text. */
export interface InpFault {
  /** EPANET's code: 202 is an invalid number. */
  code: number;
  message: string;
  /** From 1; null when it concerns no line. */
  line: number | null;
}

/** The most faults that are listed. */
const mostFaults = 100;
/** "Error 202: illegal numeric value x in [PIPES] section:", followed by the line itself. */
const error = /^Error (\d{3}): /;
const section = / in (\[[A-Z]{1,20}\]) section/;
/** Only says that there were others. */
const summary = 200;

/** Reads the report of EPANET (2.3) on a text that it refused. */
export function inpFaults(report: string, inp: string): InpFault[] {
  const lines = report.split(/\r?\n/);
  const text = linesOf(inp);
  const used = new Set<number>();
  const faults = lines.flatMap((one, at): InpFault[] => {
    const [start, code] = error.exec(one.trim()) ?? [];
    if (start === undefined || code === undefined) return [];
    const said = one.trim().slice(start.length);
    const message = said.endsWith(':') ? said.slice(0, -1) : said;
    const named = section.exec(message)?.[1] ?? null;
    const quoted = plain(lines[at + 1] ?? '');
    const found = quoted === '' ? undefined : text.find((row) => isRow(row, quoted, named) && !used.has(row.line));
    if (found !== undefined) used.add(found.line);
    return [{ code: Number(code), message, line: found?.line ?? null }];
  });
  const known = faults.filter(({ code }) => code !== summary);
  return (known.length > 0 ? known : faults).slice(0, mostFaults);
}

interface Row {
  line: number;
  text: string;
  section: string | null;
}

function isRow(row: Row, quoted: string, named: string | null): boolean {
  return row.text === quoted && (named === null || row.section === named);
}

function linesOf(inp: string): Row[] {
  let now: string | null = null;
  return inp.split(/\r\n|\n|\r/).map((one, at) => {
    const text = plain(one);
    if (text.startsWith('[')) now = text.toUpperCase();
    return { line: at + 1, text, section: text.startsWith('[') ? null : now };
  });
}

/** Without its comment and extra spaces. */
function plain(line: string): string {
  const [text = ''] = line.split(';');
  return text.trim().split(/\s+/).join(' ');
}

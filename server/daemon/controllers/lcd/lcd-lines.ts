import type { LcdLine } from '../../../contract/drivers/virtual.ts';
import type { LastValue } from '../../../contract/measurement.ts';

/** What the lines of a display are made from. */
export interface LcdSources {
  /** Epoch ms. */
  nowMs: number;
  timeZone: string;
  last: (deviceId: string, measurementId: string) => LastValue | undefined;
}

/** The `rows` lines of a set, each exactly `columns` characters. */
export function lcdLines(set: readonly LcdLine[], size: { columns: number; rows: number }, from: LcdSources): string[] {
  return Array.from({ length: size.rows }, (_, row) => {
    const line = set[row];
    return line === undefined ? ' '.repeat(size.columns) : fitted(line, size.columns, from);
  });
}

function fitted(line: LcdLine, columns: number, from: LcdSources): string {
  switch (line.kind) {
    case 'text':
      return cut(line.text, columns);
    case 'time':
      return cut(timeText(from, columns), columns);
    case 'measurement': {
      const value = valueText(from.last(line.device_id, line.measurement_id));
      const room = Math.max(0, columns - value.length - 1);
      return cut(`${cut(line.label, room)} ${value}`, columns);
    }
  }
}

function cut(text: string, columns: number): string {
  return text.slice(0, columns).padEnd(columns);
}

/** With the date if there is room. */
function timeText({ nowMs, timeZone }: LcdSources, columns: number): string {
  const text = new Date(nowMs).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return columns >= text.length ? text : text.slice(-5);
}

/** About three digits, with the unit in characters that displays have. */
function valueText(last: LastValue | undefined): string {
  if (last?.value == null) return '--';
  const size = Math.abs(last.value);
  const digits = size < 10 ? 2 : size < 100 ? 1 : 0;
  return `${last.value.toFixed(digits)} ${last.unit}`.trimEnd();
}

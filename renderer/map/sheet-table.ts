import { font } from './map-picture.ts';

/** A table beside a map on paper; the first two columns are words, the others are quantities. */
export interface SheetTable {
  title: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Says that there are more rows than are shown. */
  more: string | null;
}

export function tableElement({ title, head, rows, more }: SheetTable): HTMLTableElement {
  const table = document.createElement('table');
  table.createCaption().textContent = title;
  const heads = table.createTHead().insertRow();
  for (const text of head) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = text;
    heads.append(cell);
  }
  const body = table.createTBody();
  for (const texts of rows) {
    const row = body.insertRow();
    for (const text of texts) row.insertCell().textContent = text;
  }
  if (more !== null) {
    const cell = table.createTFoot().insertRow().insertCell();
    cell.colSpan = head.length;
    cell.textContent = more;
  }
  return table;
}

/** A sheet of A4, landscape, at 150 dots an inch. */
const sheet = { width: 1_654, height: 1_140, margin: 24, line: 34, text: 20, title: 26 };
/** Where the columns begin or, of quantities, end: parts of the width. */
const columns = [0, 0.5, 0.82, 1] as const;

/** Sheets with the table as pictures, for a document without fonts. */
export function tableSheets(table: SheetTable): HTMLCanvasElement[] {
  const lines = [...table.rows, ...(table.more === null ? [] : [[table.more]])];
  const perSheet = Math.floor((sheet.height - 2 * sheet.margin) / sheet.line) - 2;
  const count = Math.ceil(lines.length / perSheet);
  return Array.from({ length: count }, (_, at) => {
    const title = count === 1 ? table.title : `${table.title} (${at + 1}/${count})`;
    return drawn({ title, head: table.head, lines: lines.slice(at * perSheet, (at + 1) * perSheet) });
  });
}

interface Drawn {
  title: string;
  head: readonly string[];
  lines: readonly (readonly string[])[];
}

function drawn({ title, head, lines }: Drawn): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: sheet.width, height: sheet.height });
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws no pictures');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.fillStyle = '#111';
  context.textBaseline = 'middle';
  context.font = `700 ${sheet.title}px ${font}`;
  const middle = (line: number): number => sheet.margin + (line + 0.5) * sheet.line;
  context.fillText(title, sheet.margin, middle(0));
  context.font = `700 ${sheet.text}px ${font}`;
  drawLine(context, head, middle(1));
  context.font = `400 ${sheet.text}px ${font}`;
  for (const [at, texts] of lines.entries()) {
    context.fillStyle = '#bbb';
    context.fillRect(sheet.margin, middle(at + 2) - sheet.line / 2, sheet.width - 2 * sheet.margin, 1);
    context.fillStyle = '#111';
    drawLine(context, texts, middle(at + 2));
  }
  return canvas;
}

function drawLine(context: CanvasRenderingContext2D, texts: readonly string[], y: number): void {
  const width = sheet.width - 2 * sheet.margin;
  for (const [at, text] of texts.entries()) {
    const isQuantity = at >= 2;
    context.textAlign = isQuantity ? 'right' : 'left';
    const alone = texts.length === 1 ? 1 : columns[1] - columns[0];
    const room = width * (at === 0 ? alone : 0.2);
    // Too long a text is pressed together rather than cut.
    context.fillText(text, sheet.margin + width * (columns[at] ?? 1), y, room - sheet.text);
  }
}

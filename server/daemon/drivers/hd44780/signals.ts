/**
 * The bytes that make a PCF8574 port expander drive an HD44780 in 4-bit mode (Hitachi HD44780U data sheet, 1998, figure
 * 24 and table 6), wired as on the usual backpack: P0 RS, P1 R/W, P2 E, P3 backlight, P4 to P7 data.
 */
const rs = 0x01;
const enable = 0x04;
const light = 0x08;

const clear = 0x01;
const entryRight = 0x06;
const displayOn = 0x0c;
const fourBitsTwoLines = 0x28;
const setAddress = 0x80;

/** The display takes a nibble as E falls. */
function nibble(high: number, lines: number): number[] {
  const port = (high & 0xf0) | lines;
  return [port | enable, port];
}

function byte(value: number, lines: number): number[] {
  return [...nibble(value, lines), ...nibble(value << 4, lines)];
}

/** The steps that initialise a display, each with the minimum time to wait after it, ms. */
export function beginSteps(isLit: boolean): { bytes: number[]; wait_ms: number }[] {
  const lines = isLit ? light : 0;
  return [
    { bytes: nibble(0x30, lines), wait_ms: 5 },
    { bytes: nibble(0x30, lines), wait_ms: 1 },
    { bytes: [...nibble(0x30, lines), ...nibble(0x20, lines)], wait_ms: 1 },
    { bytes: [fourBitsTwoLines, displayOn, entryRight].flatMap((one) => byte(one, lines)), wait_ms: 1 },
    { bytes: byte(clear, lines), wait_ms: 2 },
  ];
}

/** Sets the backlight alone. */
export function lightBytes(isLit: boolean): number[] {
  return [isLit ? light : 0];
}

/** Writes text at a row; rows 3 and 4 are the memory behind rows 1 and 2. */
export function lineBytes(
  row: number,
  text: string,
  { columns, isLit }: { columns: number; isLit: boolean },
): number[] {
  const lines = isLit ? light : 0;
  const address = (row % 2) * 0x40 + (row >= 2 ? columns : 0);
  return [...byte(setAddress | address, lines), ...[...text].flatMap((one) => byte(codeOf(one), lines | rs))];
}

/** Character ROM A00: ASCII without backslash and tilde, plus the degree sign. */
function codeOf(character: string): number {
  if (character === '°') return 0xdf;
  const code = character.codePointAt(0) ?? 0;
  return code >= 0x20 && code < 0x7e && code !== 0x5c ? code : 0x3f;
}

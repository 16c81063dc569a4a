import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import png2icons from 'png2icons';

const root = join(import.meta.dirname, '..');
/** Sizes of Linux's hicolor theme; macOS and Windows derive theirs from the largest. */
export const iconSizes = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024] as const;
/** Size of the tray icon in points: twice as many pixels for dense screens. */
const traySize = 16;
const alarmDot = '<circle cx="25" cy="7" r="6.500" fill="#c62828" stroke="#ffffff" stroke-width="1.500"/>';

/** The product's only drawing. */
function drawing(): string {
  return readFileSync(join(root, 'renderer/ui/theme/icon.svg'), 'utf8');
}

/** A PNG of this many pixels. */
function render(svg: string, size: number): Buffer {
  return new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
}

/** Makes the icons for installers: `NxN.png`, `icon.ico`, `icon.icns`. */
export function makeProductIcons(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const svg = drawing();
  for (const size of iconSizes) writeFileSync(join(folder, `${size}x${size}.png`), render(svg, size));
  const largest = render(svg, 1024);
  for (const [name, made] of [
    ['icon.ico', png2icons.createICO(largest, png2icons.BICUBIC2, 0, true, true)],
    ['icon.icns', png2icons.createICNS(largest, png2icons.BICUBIC2, 0)],
  ] as const) {
    if (made === null) throw new Error(`${name} could not be made`);
    writeFileSync(join(folder, name), made);
  }
}

/** Makes the icons of the running shell for the notification area: plain, and with the dot of an alarm. */
export function makeTrayIcons(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const svg = drawing();
  const marked = svg.replace('</svg>', `${alarmDot}</svg>`);
  for (const [name, drawn] of [
    ['tray', svg],
    ['tray-alarm', marked],
  ] as const) {
    writeFileSync(join(folder, `${name}.png`), render(drawn, traySize));
    writeFileSync(join(folder, `${name}@2x.png`), render(drawn, 2 * traySize));
  }
}

if (import.meta.main) makeProductIcons(join(root, 'release/icons'));

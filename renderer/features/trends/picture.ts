import { lineLook, type LineKind } from '../../chart/lines.ts';
import { saveBlob } from '../../ui/save-text.ts';

const row_px = 22;

/**
 * Saves a chart as PNG with its background and, below it, the names of its lines; `day` (`2026-03-01`) names the file.
 */
export async function savePicture(
  chart: HTMLCanvasElement | null,
  names: readonly { look: number; kind: LineKind | undefined; text: string }[],
  isDark: boolean,
  day: string,
): Promise<void> {
  if (chart === null) return;
  const scale = window.devicePixelRatio;
  const picture = document.createElement('canvas');
  picture.width = chart.width;
  picture.height = chart.height + (names.length + 1) * row_px * scale;
  const context = picture.getContext('2d');
  if (context === null) return;
  context.fillStyle = isDark ? '#101613' : '#ffffff';
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(chart, 0, 0);
  context.font = `${13 * scale}px ${getComputedStyle(document.body).fontFamily}`;
  context.lineWidth = 3 * scale;
  names.forEach(({ look, kind, text }, index) => {
    const y = chart.height + (index + 0.9) * row_px * scale;
    const { dash, ...colours } = lineLook(look, kind);
    context.strokeStyle = context.fillStyle = colours[isDark ? 'dark' : 'light'];
    context.setLineDash(dash.map((length_px) => length_px * scale));
    context.beginPath();
    context.moveTo(16 * scale, y - 4 * scale);
    context.lineTo(44 * scale, y - 4 * scale);
    context.stroke();
    context.fillText(text, 50 * scale, y);
  });
  const blob = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, 'image/png'));
  if (blob === null) return;
  saveBlob(`trends-${day}.png`, blob);
}

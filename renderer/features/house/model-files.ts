import type { PlacedLabel } from '../facility/model/label-places.ts';
import type { Stage } from '../../scene/stage/stage.ts';

export interface Caption {
  title: string;
  note: string;
  ink: string;
  paper: string;
}

/** The canvas with its labels as PNG, with the house and the time below. */
export async function pictureOf(stage: Stage, labels: readonly PlacedLabel[], caption: Caption): Promise<Blob> {
  const drawn = stage.pictured();
  const scale = drawn.width / drawn.clientWidth;
  const page = document.createElement('canvas');
  const foot = Math.round(44 * scale);
  page.width = drawn.width;
  page.height = drawn.height + foot;
  const pen = page.getContext('2d');
  if (pen === null) throw new Error('no canvas to draw on');
  pen.fillStyle = caption.paper;
  pen.fillRect(0, 0, page.width, page.height);
  pen.drawImage(drawn, 0, 0);
  pen.fillStyle = caption.ink;
  const family = getComputedStyle(document.body).fontFamily;
  pen.font = `600 ${13 * scale}px ${family}`;
  pen.textAlign = 'center';
  for (const { x, y, text } of labels) {
    const width = pen.measureText(text).width + 14 * scale;
    pen.fillStyle = caption.paper;
    pen.beginPath();
    pen.roundRect(x * scale - width / 2, (y - 21) * scale, width, 20 * scale, 10 * scale);
    pen.fill();
    pen.fillStyle = caption.ink;
    pen.fillText(text, x * scale, (y - 6) * scale);
  }
  pen.textAlign = 'left';
  pen.font = `600 ${15 * scale}px ${family}`;
  pen.fillText(caption.title, 12 * scale, page.height - foot * 0.35);
  pen.textAlign = 'right';
  pen.font = `${13 * scale}px ${family}`;
  pen.fillText(caption.note, page.width - 12 * scale, page.height - foot * 0.35);
  return new Promise((resolve, reject) => {
    page.toBlob((blob) => (blob === null ? reject(new Error('no picture was made')) : resolve(blob)), 'image/png');
  });
}

/** The visible parts as binary glTF; the writer is loaded only here. */
export async function gltfBlob(stage: Stage, name: string): Promise<Blob> {
  const { gltfOf } = await import('../../scene/stage/export.ts');
  return new Blob([await gltfOf(stage, name)], { type: 'model/gltf-binary' });
}

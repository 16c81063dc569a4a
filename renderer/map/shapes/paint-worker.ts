import { PaintLoop, type PaintMessage } from './paint-loop.ts';

const loop = new PaintLoop((painting) => self.postMessage(painting, { transfer: [painting.bitmap] }));

self.addEventListener('message', ({ data }: MessageEvent<PaintMessage>) => loop.take(data));

import { readInPortions, type FileAsked } from './file-portions.ts';

self.addEventListener('message', ({ data }: MessageEvent<FileAsked>) => {
  readInPortions(data, (said) => self.postMessage(said)).catch(reportError); // the page hears of it
});

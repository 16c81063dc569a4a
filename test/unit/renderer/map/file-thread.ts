import { readInPortions, type FileAsked } from '../../../../renderer/map/file-portions.ts';

/** Reads files as the thread of the page does, in the page itself. */
export class FileThread extends EventTarget {
  static readonly all: FileThread[] = [];
  isEnded = false;

  constructor() {
    super();
    FileThread.all.push(this);
  }

  postMessage(asked: FileAsked): void {
    void readInPortions(asked, (data) => {
      if (!this.isEnded) this.dispatchEvent(new MessageEvent('message', { data: structuredClone(data) }));
    });
  }

  terminate(): void {
    this.isEnded = true;
  }
}

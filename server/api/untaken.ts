import type { ReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { onceGone } from './gone.ts';

/** An answer is given up once nothing of it was taken for this long. */
const untakenMs = 5 * 60_000;

/** Gives up an answer that is not taken as a whole. */
export function holdWhole(response: ServerResponse): void {
  const timer = setTimeout(() => response.destroy(), untakenMs).unref();
  onceGone(response, () => clearTimeout(timer));
}

/** The time-out of a response would not do: any other stream on its connection resets it. */
export function holdFile(response: ServerResponse, stream: ReadStream): void {
  let takenBytes = -1;
  const timer = setInterval(() => {
    if (stream.bytesRead === takenBytes) response.destroy();
    takenBytes = stream.bytesRead;
  }, untakenMs).unref();
  onceGone(response, () => {
    clearInterval(timer);
    stream.destroy(); // also of who has gone before it was sent
  });
}

/** Passes a stream of text on: its reader asks for the next part once it has taken what came before. */
export async function* whileTaken(response: ServerResponse, stream: AsyncIterable<string>): AsyncGenerator<string> {
  const timer = setTimeout(() => response.destroy(), untakenMs).unref();
  onceGone(response, () => clearTimeout(timer));
  for await (const part of stream) {
    timer.refresh();
    yield part;
  }
}

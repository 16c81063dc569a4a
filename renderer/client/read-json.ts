import { isPageHidden } from './page-sight.ts';

/** Bytes that are looked through between two looks at the clock. */
const piece = 65_536;
const sliceMs = 12;

const codes = { quote: 34, comma: 44, open: 91, escape: 92, close: 93, openObject: 123, closeObject: 125 };

/**
 * Reads a body as JSON while it arrives, in slices: parsed as a whole, a map of 100,000 shapes stops the page for half
 * a second. Throws SyntaxError, or as the stream fails.
 */
export async function readJson(body: ReadableStream<Uint8Array> | null): Promise<unknown> {
  const reader = body?.getReader();
  try {
    return await readPortions(reader);
  } catch (thrown) {
    void reader?.cancel().catch(() => undefined); // else the rest would keep its connection
    throw thrown;
  }
}

async function readPortions(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<unknown> {
  const portions = new JsonPortions();
  const decoder = new TextDecoder();
  let workedMs = 0;
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    for (let at = 0; at < read.value.length; at += piece) {
      if (workedMs > sliceMs && !isPageHidden()) {
        await new Promise((resolve) => setTimeout(resolve));
        workedMs = 0;
      }
      const from = performance.now();
      portions.take(decoder.decode(read.value.subarray(at, at + piece), { stream: true }));
      workedMs += performance.now() - from;
    }
  }
  portions.take(decoder.decode());
  return portions.whole();
}

/** Text of JSON that is parsed as it comes: what lies in its outermost lists by a few elements at a time. */
export class JsonPortions {
  /** All that lies outside of those lists, each of which has its number in place of its elements. */
  #frame = '';
  readonly #lists: unknown[][] = [];
  /** Elements that are not parsed yet. */
  #rest = '';
  /** Brackets that are open within an outermost list, with its own. */
  #depth = 0;
  #isQuoted = false;
  #isEscaped = false;

  take(text: string): void {
    let from = 0;
    let comma = -1;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#isQuoted) this.#readQuoted(code);
      else if (code === codes.quote) this.#isQuoted = true;
      else if (this.#depth === 0) {
        if (code !== codes.open) continue;
        this.#frame += `${text.slice(from, at + 1)}${this.#lists.length}`;
        this.#lists.push([]);
        [this.#depth, from, comma] = [1, at + 1, -1];
      } else if (code === codes.open || code === codes.openObject) this.#depth += 1;
      else if (code === codes.close || code === codes.closeObject) {
        this.#depth -= 1;
        if (this.#depth > 0) continue;
        this.#parse(text.slice(from, at));
        from = at;
      } else if (code === codes.comma && this.#depth === 1) comma = at;
    }
    if (this.#depth === 0) this.#frame += text.slice(from);
    else {
      if (comma >= from) {
        this.#parse(text.slice(from, comma));
        from = comma;
      }
      this.#rest += text.slice(from);
    }
  }

  /** Throws SyntaxError. */
  whole(): unknown {
    return JSON.parse(this.#frame, (_key, value: unknown) =>
      Array.isArray(value) ? this.#lists[Number(value[0])] : value,
    );
  }

  #readQuoted(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === codes.escape) this.#isEscaped = true;
    else if (code === codes.quote) this.#isQuoted = false;
  }

  /** From the second portion on with the comma before it, so that one too many is an error. */
  #parse(elements: string): void {
    const list = this.#lists.at(-1) ?? [];
    const before = list.length === 0 ? 0 : 1;
    const parsed = JSON.parse(`[${before === 0 ? '' : '0'}${this.#rest}${elements}]`) as unknown[];
    for (let at = before; at < parsed.length; at += 1) list.push(parsed[at]);
    this.#rest = '';
  }
}

import { assert, constantFrom, integer, jsonValue, property } from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { JsonPortions, readJson } from '../../../../renderer/client/read-json.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function taken(text: string, length: number): unknown {
  const portions = new JsonPortions();
  for (let at = 0; at < text.length; at += length) portions.take(text.slice(at, at + length));
  return portions.whole();
}

const textOf = new TextEncoder();
const bodyOf = (...chunks: Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

it('reads any JSON as the whole of it, wherever it is cut', () => {
  assert(
    property(
      jsonValue({ maxDepth: 5 }),
      integer({ min: 1, max: 40 }),
      constantFrom(undefined, 2),
      (value, at, space) => {
        const text = JSON.stringify(value, null, space);
        expect(taken(text, at)).toEqual(JSON.parse(text));
      },
    ),
    { numRuns: 1_000 },
  );
});

it.each([
  '[]',
  '{"a":[],"b":[[]],"c":[1,[2,3],{"d":[4]}]}',
  String.raw`{"a \"[":["]\\","\\\"[,"],"b":"[,]"}`,
  '{"__proto__":{"features":[{"__proto__":1}]},"length":1}',
])('reads %s by single characters', (text) => {
  expect(taken(text, 1)).toEqual(JSON.parse(text));
});

it.each(['', '{', '{"a":[1,2', '{"a":[1,2}', '[,1]', '[1,,2]', '[1,]', '[,]', '{"a":[1],}', '["a', '[1] 2'])(
  'refuses %j',
  (text) => {
    expect(() => taken(text, 1)).toThrow(SyntaxError);
  },
);

it('reads a body whose letters are cut between two chunks', async () => {
  const value = { features: Array.from({ length: 5_000 }, (_, at) => ({ name: `비닐하우스 ${at}`, at: [at, [at]] })) };
  const bytes = textOf.encode(JSON.stringify(value));
  const chunks = Array.from({ length: Math.ceil(bytes.length / 1_001) }, (_, at) =>
    bytes.subarray(at * 1_001, (at + 1) * 1_001),
  );
  expect(await readJson(bodyOf(...chunks))).toEqual(value);
  expect(await readJson(bodyOf(bytes))).toEqual(value);
});

it('rests in a long body of one chunk, and never in a page that is hidden', async () => {
  const bytes = textOf.encode(JSON.stringify(Array.from({ length: 100_000 }, (_, at) => ({ at }))));
  let ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (ms += 5)); // each piece takes as long
  const rests = vi.spyOn(globalThis, 'setTimeout');
  await readJson(bodyOf(bytes));
  const pieces = Math.ceil(bytes.length / 65_536);
  expect(pieces).toBeGreaterThan(9);
  expect(rests.mock.calls.length).toBeGreaterThanOrEqual(Math.floor(pieces / 3) - 1);
  rests.mockClear();
  vi.stubGlobal('document', { visibilityState: 'hidden' });
  await readJson(bodyOf(bytes));
  expect(rests).not.toHaveBeenCalled();
});

it('reads no body as no JSON, and fails as its stream does', async () => {
  await expect(readJson(null)).rejects.toThrow(SyntaxError);
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(textOf.encode('{"features":[1,'));
      controller.error(new TypeError('network error'));
    },
  });
  await expect(readJson(broken)).rejects.toThrow('network error');
});

it('lets go of a body that is no JSON', async () => {
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(textOf.encode('[1,,2,')),
    cancel: () => void (isCancelled = true),
  });
  await expect(readJson(endless)).rejects.toThrow(SyntaxError);
  expect(isCancelled).toBe(true);
});

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { decodeSerpent, encodeSerpent } from '../../server/remote/serpent.ts';
import { Tuple } from '../../server/remote/tuple.ts';
import { recordedValues } from '../unit/remote/recorded.ts';

const pythonPath = '/usr/bin/python3';
const modules = 'import ast, base64, datetime, decimal, json, serpent, sys, uuid\n';

/** Runs a Python program that reads JSON from standard input and prints JSON. */
function python(program: string, input: unknown): unknown {
  const run = spawnSync(pythonPath, ['-c', modules + program], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    timeout: 20_000,
  });
  if (run.status !== 0) throw new Error(`python: ${run.error?.message ?? run.stderr}`);
  return JSON.parse(run.stdout);
}

const isInstalled = spawnSync(pythonPath, ['-c', 'import serpent']).status === 0;
const isRequired = process.env.REQUIRE_PEERS === '1';
if (!isInstalled)
  process.stderr.write('SKIPPED: python3-serpent is not installed; serpent is not tried against Python\n');

/** Reads each text with Python's serpent; answers with the repr of the value and with the text Python writes for it. */
const read = `
out = []
for text in json.load(sys.stdin):
    value = serpent.loads(text.encode("utf-8"))
    out.append([ascii(value), serpent.dumps(value).decode("utf-8")])
print(json.dumps(out))
`;

const values: readonly (readonly [unknown, string])[] = [
  [null, 'None'],
  [true, 'True'],
  [21, '21'],
  [-7.25, '-7.25'],
  [-0, '-0.0'],
  [1e-7, '1e-07'],
  [0.00001234, '1.234e-05'],
  [1e16, '1e+16'],
  [123456789.125, '123456789.125'],
  [5e-324, '5e-324'],
  [1.7976931348623157e308, '1.7976931348623157e+308'],
  [Infinity, 'inf'],
  [-Infinity, '-inf'],
  [NaN, "{'__class__': 'float', 'value': 'nan'}"],
  [2n ** 70n, '1180591620717411303424'],
  ['it\'s "so" \\ \n\r\t\0\x7f', String.raw`'it\'s "so" \\ \n\r\t\x00\x7f'`],
  ['온실 €', String.raw`'\uc628\uc2e4 \u20ac'`],
  ['😀\u200b\u2028', String.raw`'\U0001f600\u200b\u2028'`],
  ['\ud800', String.raw`'\ud800'`],
  [new Tuple([]), '()'],
  [new Tuple([1]), '(1,)'],
  [[0, 'ok'], "[0, 'ok']"],
  [new Set([5]), '{5}'],
  [
    new Map<unknown, unknown>([
      [0, 'off'],
      [1, 12.5],
      ['x', [null]],
    ]),
    "{0: 'off', 1: 12.5, 'x': [None]}",
  ],
  [new Map([[[1, [2]], true]]), '{(1, (2,)): True}'],
  [JSON.parse('{"__proto__":{"a":[1]},"constructor":null}'), "{'__proto__': {'a': [1]}, 'constructor': None}"],
  [new Uint8Array([0, 1, 97, 98, 99]), "{'data': 'AAFhYmM=', 'encoding': 'base64'}"],
];

describe.runIf(isInstalled || isRequired)("against Python's serpent", () => {
  it('what is written here is read there, and comes back the same', () => {
    const texts = values.map(([value]) => encodeSerpent(value).toString('utf8'));
    const answers = python(read, texts) as [string, string][]; // the program prints pairs
    expect(answers.map(([repr]) => repr)).toEqual(values.map(([, repr]) => repr));
    const back = answers.map(([, text]) => decodeSerpent(Buffer.from(text, 'utf8')));
    expect(back).toStrictEqual(texts.map((text) => decodeSerpent(Buffer.from(text, 'utf8'))));
  });

  it('the texts of plain values are the very texts that Python writes', () => {
    const texts = values
      .filter(([value]) => !(value instanceof Uint8Array || Number.isNaN(value)))
      .map(([value]) => encodeSerpent(value).toString('utf8'));
    const answers = python(read, texts) as [string, string][]; // the program prints pairs
    expect(answers.map(([, text]) => text)).toEqual(texts);
  });

  it('every recorded value is written there as it was recorded', () => {
    const program = `
from uuid import UUID
from decimal import Decimal
inf, nan = float("inf"), float("nan")
print(json.dumps([serpent.dumps(eval(text)).decode("utf-8") for text in json.load(sys.stdin)]))
`;
    const texts = python(
      program,
      recordedValues.map((one) => one.python),
    );
    expect(texts).toEqual(recordedValues.map((one) => one.serpent));
  });

  it('any finite number is read there as the same number', () => {
    const seeds = Array.from({ length: 2000 }, (_, index) => Math.sin(index + 1) * 10 ** ((index % 600) - 300));
    const texts = seeds.map((value) => encodeSerpent(value).toString('utf8'));
    const program = 'print(json.dumps([serpent.loads(text.encode()) for text in json.load(sys.stdin)]))';
    expect(python(program, texts)).toEqual(seeds);
    const answers = python(read, texts) as [string, string][]; // the program prints pairs
    expect(answers.map(([, text]) => text)).toEqual(texts);
  });

  it('every character of the basic plane is read there as the same character', () => {
    const texts = Array.from({ length: 256 }, (_, high) =>
      Array.from({ length: 256 }, (_unused, low) => String.fromCharCode(high * 256 + low)).join(' '),
    );
    const program = 'print(json.dumps([serpent.loads(text.encode()) for text in json.load(sys.stdin)]))';
    const written = texts.map((text) => encodeSerpent(text).toString('utf8'));
    expect(python(program, written)).toEqual(texts);
  });

  it('what Python refuses as no literal is refused here', () => {
    const program = `
def refused(text):
    try:
        serpent.loads(text.encode("utf-8"))
        return False
    except Exception:
        return True
print(json.dumps([refused(text) for text in json.load(sys.stdin)]))
`;
    const texts = [
      'x',
      'open("f")',
      '[1',
      "'a",
      '1 2',
      '[,]',
      '01',
      '{[1]}',
      '{{1}}',
      "b'é'",
      "'\\x4'",
      '1+2',
      'nan',
      "f'a'",
      '--1',
    ];
    expect(python(program, texts)).toEqual(texts.map(() => true));
    for (const text of texts) {
      expect(() => decodeSerpent(Buffer.from(text)), text).toThrow(
        expect.objectContaining({ code: 'serialize_error' }),
      );
    }
  });
});

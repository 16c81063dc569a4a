import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSerpent, encodeSerpent } from '../../../server/remote/serpent.ts';
import { Tuple } from '../../../server/remote/tuple.ts';
import { recordedFrames, recordedValues } from './recorded.ts';

const header = '# serpent utf-8 python3.2\n';
const read = (text: string) => decodeSerpent(Buffer.from(text, 'utf8'));
const write = (value: unknown) => encodeSerpent(value).toString('utf8').slice(header.length);
const dict = (entries: Record<string, unknown>): unknown => Object.assign(Object.create(null), entries);

/**
 * What each recorded Python value is in JavaScript, and what is sent to get its text where the reader drops a
 * distinction.
 */
const meanings: Readonly<Record<string, { value: unknown; sent?: unknown; text?: string }>> = {
  None: { value: null },
  True: { value: true },
  False: { value: false },
  '0': { value: 0 },
  '5': { value: 5 },
  '-7': { value: -7 },
  '1180591620717411303424': { value: 1180591620717411303424n },
  '2.5': { value: 2.5 },
  '21.0': { value: 21, text: '21' },
  '1e-07': { value: 1e-7 },
  '-0.0': { value: -0 },
  inf: { value: Infinity },
  '-inf': { value: -Infinity },
  nan: { value: NaN },
  "''": { value: '' },
  "'plain'": { value: 'plain' },
  '"it\'s"': { value: "it's" },
  '\'say "hi"\'': { value: 'say "hi"' },
  "'both \\' and \"'": { value: 'both \' and "' },
  "'line\\nbreak\\ttab\\\\'": { value: 'line\nbreak\ttab\\' },
  "'온실 温室 €'": { value: '온실 温室 €' },
  "'\\x01\\x7f\\u200b'": { value: '\x01\x7f\u200b' },
  "'😀'": { value: '😀' },
  '()': { value: [], sent: new Tuple([]) },
  '(1,)': { value: [1], sent: new Tuple([1]) },
  '(1, 2)': { value: [1, 2], sent: new Tuple([1, 2]) },
  '[1, [2, [3]]]': { value: [1, [2, [3]]] },
  '{}': { value: dict({}) },
  "{'a': 1, 2: None}": {
    value: new Map<unknown, unknown>([
      ['a', 1],
      [2, null],
    ]),
  },
  "{1: 'x', 2: {3: [4]}}": {
    value: new Map<number, unknown>([
      [1, 'x'],
      [2, new Map([[3, [4]]])],
    ]),
  },
  '{1, 2}': { value: new Set([1, 2]) },
  'set()': { value: [], sent: new Set() },
  "b'\\x00\\x01abc'": { value: new Uint8Array([0, 1, 97, 98, 99]) },
  'datetime.datetime(2024, 1, 2, 3, 4, 5)': { value: '2024-01-02T03:04:05' },
  'datetime.date(2024, 1, 2)': { value: '2024-01-02' },
  'datetime.timedelta(seconds=90)': { value: 90, text: '90' },
  "UUID('00000000-0000-0000-0000-000000000005')": { value: '00000000-0000-0000-0000-000000000005' },
  "Decimal('1.10')": { value: '1.10' },
};

describe('recorded values', () => {
  const known = recordedValues.filter(({ python }) => python !== '(3+4j)');

  it.each(known)('$python', ({ python, serpent }) => {
    const meaning = meanings[python];
    if (meaning === undefined) throw new Error(`no meaning is given for ${python}`);
    expect(read(serpent)).toStrictEqual(meaning.value);
    expect(write(meaning.sent ?? meaning.value)).toBe(meaning.text ?? serpent.slice(header.length));
  });

  it('refuses the complex number among them by name', () => {
    const complex = recordedValues.find(({ python }) => python === '(3+4j)');
    expect(() => read(complex?.serpent ?? '')).toThrow('complex numbers are not supported');
  });
});

describe('recorded payloads', () => {
  const texts = recordedFrames.filter(({ serializer, payload_text }) => serializer === 1 && payload_text !== null);

  it.each(texts)('$name is stable under reading and writing', ({ payload_text }) => {
    const value = read(payload_text ?? '');
    expect(decodeSerpent(encodeSerpent(value))).toStrictEqual(value);
  });

  it('keep integer channel keys', () => {
    expect(read(`${header}{'a-b':{0:'off',1:12.5},'c':{0:None}}`)).toStrictEqual(
      dict({
        'a-b': new Map<number, unknown>([
          [0, 'off'],
          [1, 12.5],
        ]),
        c: new Map([[0, null]]),
      }),
    );
  });
});

describe('the reader accepts', () => {
  it.each([
    ['no header', '5', 5],
    ['white space and comments', ' # first\n [ 1 , # one\n\t2\r\n ] # last', [1, 2]],
    ['trailing commas', '[1,2,]', [1, 2]],
    ['a trailing comma in a tuple', '(1,2,)', [1, 2]],
    ['a trailing comma in a set', '{1,}', new Set([1])],
    ['a trailing comma in a dictionary', "{'a':1,}", dict({ a: 1 })],
    ['parentheses around one value', '(1)', 1],
    ['plus and minus', '[-1, +1, - 2.5]', [-1, 1, -2.5]],
    ['int zero with a sign', '-0', 0],
    ['float forms', '[1., .5, 1E3, 1e+3]', [1, 0.5, 1000, 1000]],
    ['a bytes literal', String.raw`b'\x00\xffa\n'`, new Uint8Array([0, 255, 97, 10])],
    ['double quotes', String.raw`"a'b\"c"`, 'a\'b"c'],
    ['triple quotes', "'''a\n\"b\"'c'''", 'a\n"b"\'c'],
    ['escapes', String.raw`'\a\b\f\v\0\101\x41\u0041\U0001f600'`, '\x07\b\f\v\0AAA😀'],
    ['a continued line', "'a\\\nb'", 'ab'],
    ['tuples as keys', '{(1,2)}', new Set([[1, 2]])],
    ['the largest safe int', '9007199254740991', 9007199254740991],
    ['ints beyond', '[9007199254740993,-9007199254740993]', [9007199254740993n, -9007199254740993n]],
    ['a lone surrogate', String.raw`'\ud800'`, '\ud800'],
  ])('%s', (_name, text, value) => {
    expect(read(text)).toStrictEqual(value);
  });

  it('prototype keys as plain data', () => {
    const value = read("{'__proto__':{'polluted':True},'constructor':1}");
    expect(Object.getPrototypeOf(value)).toBe(null);
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
    expect('polluted' in {}).toBe(false);
    expect(write(value)).toBe("{'__proto__':{'polluted':True},'constructor':1}");
  });

  it('no class but bytes and NaN: other dictionaries stay dictionaries', () => {
    const text = "{'__class__':'Pyro5.core.URI','state':('PYRO','o',None,'h',1)}";
    expect(read(text)).toStrictEqual(dict({ __class__: 'Pyro5.core.URI', state: ['PYRO', 'o', null, 'h', 1] }));
    expect(read("{'data':'not base64!','encoding':'base64'}")).toStrictEqual(
      dict({ data: 'not base64!', encoding: 'base64' }),
    );
  });

  it('100 levels and no more', () => {
    expect(() => read('['.repeat(100) + ']'.repeat(100))).not.toThrow();
    expect(() => read('['.repeat(101) + ']'.repeat(101))).toThrow('nested deeper');
  });

  it('a million brackets, spaces or digits without harm', () => {
    const many = 1_000_000;
    expect(() => read('('.repeat(many))).toThrow(expect.objectContaining({ code: 'serialize_error' }));
    expect(() => read('1'.repeat(many))).toThrow('int longer');
    expect(() => read('x'.repeat(many))).toThrow('names and calls');
    expect(read(`${' \n'.repeat(many)}1`)).toBe(1);
    expect(read(`'${'a\\n'.repeat(many)}'`)).toHaveLength(2 * many);
  });
});

describe('the reader refuses', () => {
  it.each([
    '',
    ' ',
    header,
    'x',
    'None2',
    'none',
    'set()',
    'open("f")',
    "__import__('os')",
    '[1',
    '(1',
    '{1',
    "{'a'",
    "{'a':",
    "'a",
    "'a\nb'",
    '1 2',
    '[1 2]',
    '[,]',
    '[1,,2]',
    '(,)',
    '1+2',
    '1-2',
    '--1',
    '-',
    "-'a'",
    '1j',
    '1.5J',
    '(1+2j)',
    '01',
    '0x10',
    '1_000',
    '1.2.3',
    '1a',
    '{[1]}',
    '{{1}}',
    '{[1]:2}',
    '{([1],):2}',
    '{1:2,3}',
    '{1,2:3}',
    "'a' 'b'",
    "r'a'",
    "f'a'",
    "b'é'",
    "b'\\u0041'",
    "'\\q'",
    "'\\x4'",
    "'\\N{DASH}'",
    "'\\U00110000'",
    '[1]]',
    '...',
    'lambda: 1',
    '{**{}}',
    '[*()]',
    '1 if True else 2',
    '\0',
    "'\0'",
    '\ufeff1',
    '1e',
    'nan',
    'inf',
    'a.b',
    '1 .real',
    '\u00a01',
  ])('%j', (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'serialize_error' }));
  });

  it('bytes that are not UTF-8', () => {
    expect(() => decodeSerpent(Buffer.from([0x27, 0xff, 0x27]))).toThrow(
      expect.objectContaining({ code: 'serialize_error' }),
    );
  });

  it('any text with this error or none', () => {
    const piece = fc.constantFrom(...'()[]{},:\'"\\#\n \t-+.0123456789eEjbxNoneTrue', "b'", 'None', '1e9');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          read(pieces.join(''));
        } catch (error) {
          expect(error).toMatchObject({ name: 'RemoteError', code: 'serialize_error' });
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the writer', () => {
  it.each([
    [undefined, 'None'],
    [1e22, '1e+22'],
    [1e16, '1e+16'],
    [9007199254740992, '9007199254740992.0'],
    [0.0001, '0.0001'],
    [0.00001234, '1.234e-05'],
    [1.5e-300, '1.5e-300'],
    [2n ** 70n, '1180591620717411303424'],
    [{ a: undefined, b: 1 }, "{'b':1}"],
    [new Map([[0, 'off']]), "{0:'off'}"],
    [new Map([[[1, 2], 'x']]), "{(1,2):'x'}"],
    [new Set(['a']), "{'a'}"],
    [new Date(0), "'1970-01-01T00:00:00.000Z'"],
    ['\u00a0\u2028\ue000\ud800', String.raw`'\xa0\u2028\ue000\ud800'`],
    ['\u{e0001}', String.raw`'\U000e0001'`],
  ])('writes %o', (value, text) => {
    expect(write(value)).toBe(text);
  });

  it.each([
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a class', new URL('http://localhost')],
    ['a key without a hash', new Map([[{}, 1]])],
  ])('refuses %s', (_name, value) => {
    expect(() => write(value)).toThrow(expect.objectContaining({ code: 'serialize_error' }));
  });

  it('refuses circles and what the reader would not take', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => write(circle)).toThrow('nested deeper');
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(read(write(nested(100)))).toStrictEqual(nested(100));
    expect(() => write(nested(101))).toThrow('nested deeper');
  });
});

it('round-trips any value', () => {
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.bigInt().filter((n) => !Number.isSafeInteger(Number(n))),
      fc.double(),
      fc.string({ unit: 'binary' }),
      fc.uint8Array(),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('tree'), { maxKeys: 4, noNullPrototype: false }).map(dict),
      fc.array(fc.tuple(fc.integer(), tie('tree')), { minLength: 1, maxLength: 4 }).map((pairs) => new Map(pairs)),
      fc.array(fc.string(), { minLength: 1, maxLength: 4 }).map((items) => new Set(items)),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      expect(decodeSerpent(encodeSerpent(value))).toStrictEqual(value);
    }),
  );
});

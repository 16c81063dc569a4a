import { describe, expect, it } from 'vitest';
import { bindArguments } from '../../../server/remote/method.ts';

const parameters = [{ name: 'output_id' }, { name: 'state', default: 'on' }, { name: 'amount', default: 0 }];
const bind = (positional: readonly unknown[], keywords: unknown = {}) =>
  bindArguments(parameters, positional, keywords);

describe('arguments', () => {
  it.each([
    [['a'], {}, { output_id: 'a', state: 'on', amount: 0 }],
    [['a', 'off', 2], {}, { output_id: 'a', state: 'off', amount: 2 }],
    [['a'], { amount: 5 }, { output_id: 'a', state: 'on', amount: 5 }],
    [[], { state: null, output_id: 'b' }, { output_id: 'b', state: null, amount: 0 }],
    [['a'], null, { output_id: 'a', state: 'on', amount: 0 }],
    [['a'], undefined, { output_id: 'a', state: 'on', amount: 0 }],
  ])('%j and %j bind', (positional, keywords, bound) => {
    expect(bind(positional, keywords)).toEqual(bound);
  });

  it.each([
    ['too many', ['a', 'on', 1, 2], {}, 'takes 3 arguments, 4 were given'],
    ['unknown', ['a'], { colour: 1 }, "unknown argument 'colour'"],
    ['inherited', ['a'], { toString: 1 }, "unknown argument 'toString'"],
    ['doubled', ['a'], { output_id: 'b' }, "argument 'output_id' was given twice"],
    ['missing', [], { state: 'on' }, "argument 'output_id' is missing"],
    ['not named', ['a'], new Map([[1, 2]]), 'keyword arguments are a dictionary with text keys'],
    ['a list', ['a'], [1], 'keyword arguments are a dictionary with text keys'],
  ])('%s are refused', (_name, positional, keywords, message) => {
    expect(() => bind(positional, keywords)).toThrow(expect.objectContaining({ code: 'invalid_argument', message }));
  });

  it('may default to undefined', () => {
    expect(bindArguments([{ name: 'channel', default: undefined }], [], {})).toEqual({ channel: undefined });
  });
});

import { Workspace } from 'epanet-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { networkFaults } from '../../../../server/contract/pipe-inp.ts';
import { inpFaults } from '../../../../server/services/pipe/inp-fault.ts';
import { Epanet, EpanetError } from '../../../../server/services/pipe/epanet.ts';

const good = [
  '[JUNCTIONS]',
  'A 0 1',
  'B 5 1',
  '[RESERVOIRS]',
  'R 10',
  '[PIPES]',
  'P1 R A 100 100 100',
  'P2 A B 100 100 100',
  '[OPTIONS]',
  'Units CMH',
  'Headloss H-W',
  '[COORDINATES]',
  'A 1 1',
  'B 2 2',
  'R 0 0',
  '[END]',
];

let epanet: Epanet;
beforeAll(async () => {
  epanet = await Epanet.load();
});

/** What is said of the network with one line changed. */
function faultsWith(line: number, text: string, end = '\n') {
  try {
    epanet.read(good.with(line - 1, text).join(end));
  } catch (error) {
    if (error instanceof EpanetError) return error.faults;
    throw error;
  }
  return [];
}

describe('faults of a network', () => {
  it('has none where all is well', () => {
    expect(faultsWith(2, good[1] ?? '')).toEqual([]);
  });

  it.each([
    ['a number that is none', 3, 'B  x\t1 ; a valve', 202, 3],
    ['an unknown node', 8, 'P2 A C 100 100 100', 203, 8],
    ['an unknown section', 9, '[FOO]', 299, 9],
    ['an unknown option', 11, 'Headloss H-X', 213, 11],
    ['a name that is there twice', 8, 'P1 A B 100 100 100', 215, 8],
    ['a place that nothing leads to', 8, ';P2', 234, null],
    ['a pipe without a length', 8, 'P2 A B 0 100 100', 202, 8],
  ])('names %s with its line', (_, line, text, code, expected) => {
    for (const end of ['\n', '\r\n'])
      expect(faultsWith(line, text, end)).toContainEqual(expect.objectContaining({ code, line: expected }));
  });

  it('tells lines that look alike apart', () => {
    const report = [
      'Error 202: illegal numeric value x in [PIPES] section:',
      'P x',
      'Error 202: bad in [PIPES] section:',
      'P x',
    ];
    const inp = '[JUNCTIONS]\nP x\n[PIPES]\nP x\nP x\n';
    expect(inpFaults(report.join('\n'), inp).map(({ line }) => line)).toEqual([4, 5]);
  });

  it('says that the network is at fault where EPANET says no more', () => {
    expect(inpFaults('Error 200: one or more errors in input file', '')).toEqual([
      { code: 200, message: 'one or more errors in input file', line: null },
    ]);
  });
});

/** Codes of calls of EPANET's functions, which reading a file does not make. */
const ofCalls = new Set([240, 241, 251, 253]);

it('has a word for every fault that EPANET can find in a file', async () => {
  const workspace = new Workspace();
  await workspace.loadModule();
  const codes = Array.from({ length: 55 }, (_, at) => 201 + at).filter((code) => {
    const said = workspace.getError(code).replace(/^Error \d+: (function call contains)?/, '');
    return said.trim() !== '' && !ofCalls.has(code);
  });
  expect(codes.length).toBeGreaterThan(30);
  expect(codes.filter((code) => !(code in networkFaults))).toEqual([]);
});

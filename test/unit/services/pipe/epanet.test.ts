import { beforeAll, describe, expect, it, vi } from 'vitest';
import { pipeSizes } from '../../../../server/domain/pipes/catalogue.ts';
import { head_m_per_bar, headLoss_m } from '../../../../server/domain/pipes/head-loss.ts';
import { inpOf } from '../../../../server/domain/pipes/inp.ts';
import type { WaterNetwork } from '../../../../server/domain/pipes/network.ts';
import { Epanet, EpanetError } from '../../../../server/services/pipe/epanet.ts';
import { networkOnMap, NotDrawableError } from '../../../../server/services/pipe/read-network.ts';

/** Net1 of the EPANET examples (Rossman, US EPA), its hydraulics at the first hour. */
const net1 = `[JUNCTIONS]
10 710 0
11 710 150
12 700 150
13 695 100
21 700 150
22 695 200
23 690 150
31 700 100
32 710 100
[RESERVOIRS]
9 800
[TANKS]
2 850 120 100 150 50.5 0
[PIPES]
10 10 11 10530 18 100
11 11 12 5280 14 100
12 12 13 5280 10 100
21 21 22 5280 10 100
22 22 23 5280 12 100
31 31 32 5280 6 100
110 2 12 200 18 100
111 11 21 5280 10 100
112 12 22 5280 12 100
113 13 23 5280 8 100
121 21 31 5280 8 100
122 22 32 5280 6 100
[PUMPS]
9 9 10 HEAD 1
[CURVES]
1 1500 250
[OPTIONS]
Units GPM
Headloss H-W
[END]
`;

/** The same network, drawn in feet. */
const places = ['10 0 0', '11 1000 0', '12 2000 0', '13 3000 0', '21 1000 500', '22 2000 500', '23 3000 500'];
const drawn = [...places, '31 1000 1000', '32 2000 1000', '9 0 1000', '2 3000 1000'];
const drawnNet1 = net1.replace('[OPTIONS]', ['[COORDINATES]', ...drawn, '[OPTIONS]'].join('\n')).replace('[END]\n', '');

function onMap(inp: string) {
  const { raw, found } = epanet.read(inp);
  return networkOnMap(raw, found, { at: { lat: 37, lng: 127 }, engine: epanet.name });
}

let epanet: Epanet;
beforeAll(async () => {
  epanet = await Epanet.load();
});

/** One pipe of a series from a tap at 30 m of pressure to two groups that take turns. */
function network(friction: WaterNetwork['friction'], flows_m3_s: readonly number[]): WaterNetwork {
  const size = pipeSizes('pe100_sdr17')[3];
  if (size === undefined) throw new Error('the series has a fourth size');
  const node = { station: null, elevation_m: 2, at: [127, 37] };
  return {
    friction,
    groups: flows_m3_s.length,
    heads_m: [32],
    pump: null,
    roughness: friction === 'hazen_williams' ? 150 : 0.0015,
    nodes: [
      { ...node, demand: null },
      ...flows_m3_s.map((flow_m3_s, group) => ({ ...node, demand: { flow_m3_s, group } })),
    ],
    pipes: flows_m3_s.map((_, at) => ({ from: 0, to: at + 1, length_m: 80, size, minor: 2.7, coordinates: [] })),
  };
}

describe('Epanet', () => {
  it('finds what is published for Net1', () => {
    const { hours, run } = epanet.solve(net1);
    const [first] = hours;
    expect(run).toEqual({ warnings: [], isTruncated: false });
    expect(first?.links.get('9')?.flow).toBeCloseTo(1866.18, 2);
    expect(first?.nodes.get('10')?.pressure_m).toBeCloseTo(127.54, 2);
    expect(first?.nodes.get('32')?.pressure_m).toBeCloseTo(110.79, 2);
    expect(epanet.name).toBe('EPANET 2.3.5');
  });

  it.each(['hazen_williams', 'darcy_weisbach'] as const)(
    'agrees with %s by hand, from a drip to a rush',
    (friction) => {
      // Laminar, between, and turbulent in 55.4 mm: Re 1,000 to 100,000.
      const flows_m3_s = [4e-5, 1.2e-4, 1e-3, 4e-3];
      const asked = network(friction, flows_m3_s);
      const { hours } = epanet.solve(inpOf(asked));
      expect(hours).toHaveLength(flows_m3_s.length);
      for (const [at, flow_m3_s] of flows_m3_s.entries()) {
        const pipe = { length_m: 80, inner_mm: 55.4, minor: 2.7, flow_m3_s };
        const lost_m = headLoss_m(friction, pipe);
        expect((hours[at]?.links.get(`P${at + 1}`)?.head_loss_m ?? 0) / lost_m).toBeCloseTo(1, 2);
        expect(hours[at]?.nodes.get(`N${at + 1}`)?.pressure_m).toBeCloseTo(30 - lost_m, 2);
        expect(hours[at]?.links.get(`P${((at + 1) % 4) + 1}`)?.flow).toBeCloseTo(0, 3);
      }
    },
  );

  it('solves every group where sixty valves along a main open one after the other', () => {
    const row = network('hazen_williams', Array<number>(60).fill(1 / 3600));
    const asked = { ...row, pipes: row.pipes.map((pipe, at) => ({ ...pipe, from: at })) };
    const { hours, run } = epanet.solve(inpOf(asked));
    expect(run.warnings).toEqual([]);
    expect(hours).toHaveLength(60);
    const lost_m = headLoss_m('hazen_williams', { length_m: 80, inner_mm: 55.4, minor: 2.7, flow_m3_s: 1 / 3600 });
    for (const [at, hour] of hours.entries())
      expect(hour.nodes.get(`N${at + 1}`)?.pressure_m).toBeCloseTo(30 - (at + 1) * lost_m, 2);
  });

  it('reads a pump curve of few points as straight lines', () => {
    const pump = [
      { flow_m3_h: 0, head_m: 40 },
      { flow_m3_h: 10, head_m: 20 },
    ];
    const {
      hours: [hour],
    } = epanet.solve(inpOf({ ...network('hazen_williams', [5 / 3600]), heads_m: [2], pump }));
    expect(hour?.nodes.get('N0')?.pressure_m).toBeCloseTo(30, 2);
  });

  it('reads Net1 in SI units, laid in metres about the middle of the map', () => {
    const found = onMap(drawnNet1);
    expect(found).toMatchObject({ placed_by: 'metres', pumps: 1, valves: 0 });
    const node = (id: string) => found.nodes.find((one) => one.id === id);
    expect(node('10')?.most_bar).toBeCloseTo((127.54 * 0.3048) / 0.4333 / head_m_per_bar, 2);
    expect(node('9')?.demand_m3_h).toBeCloseTo(-1866.18 * 0.2271247, 1);
    expect(node('2')?.kind).toBe('tank');
    const [first] = found.pipes;
    expect(first).toMatchObject({ id: '10', from: '10', to: '11' });
    expect(first?.length_m).toBeCloseTo(10_530 * 0.3048, 6);
    expect(first?.inner_mm).toBeCloseTo(457.2, 6);
    expect(node('12')?.lng).toBeCloseTo(127 + (500 * 0.3048) / 88_900, 5);
  });

  it.each([
    ['METERS', 500],
    ['Feet', 500 * 0.3048],
    ['None', 500 * 0.3048], // as its lengths are, in feet
  ])('draws a network in the units of its backdrop: %s', (units, away_m) => {
    const found = onMap(`${drawnNet1}\n[BACKDROP]\nDIMENSIONS 0 0 10 10\n UNITS\t${units}\n`);
    expect(found.nodes.find(({ id }) => id === '12')?.lng).toBeCloseTo(127 + away_m / 88_900, 4);
  });

  it('draws degrees where they are, and no network that is wider than a region', () => {
    const far = drawn
      .map((row) => row.split(' '))
      .map(([id, x, y]) => `${id} ${8 + Number(x) / 1e5} ${47 + Number(y) / 1e5}`);
    const degrees = onMap(
      `${net1.replace('[END]', ['[COORDINATES]', ...far].join('\n'))}\n[BACKDROP]\nUNITS DEGREES\n`,
    );
    expect(degrees.placed_by).toBe('degrees');
    expect(degrees.nodes.find(({ id }) => id === '12')?.lng).toBeCloseTo(8.02, 6);
    expect(() => onMap(drawnNet1.replace('13 3000 0', '13 500000 0'))).toThrow('100 km');
    expect(() => onMap(drawnNet1.replace('13 3000 0', '13 1e308 0'))).toThrow(NotDrawableError);
  });

  it('reads back what it was written as', () => {
    const asked = network('hazen_williams', [1e-3, 5e-4, 2e-4]);
    const found = onMap(inpOf(asked));
    expect(found).toMatchObject({ placed_by: 'degrees', steps: 3, pumps: 0 });
    for (const [at, flow] of [3.6, 1.8, 0.72].entries()) {
      expect(found.pipes[at]?.length_m).toBeCloseTo(80, 6);
      expect(found.pipes[at]?.inner_mm).toBeCloseTo(55.4, 6);
      expect(found.pipes[at]?.flow_m3_h).toBeCloseTo(flow, 3);
      expect(found.nodes.find(({ id }) => id === `N${at + 1}`)?.demand_m3_h).toBeCloseTo(flow, 6);
    }
  });

  it.each([
    ['unbalanced', net1.replace('[OPTIONS]', '[OPTIONS]\nTrials 2\nAccuracy 0.00001')],
    ['disconnected', net1.replace('[OPTIONS]', '[STATUS]\n9 Closed\n110 Closed\n[OPTIONS]')],
    ['negative_pressure', net1.replace('22 695 200', '22 695 20000')],
  ])('tells that a solution is doubtful: %s', (warning, inp) => {
    const written = vi.spyOn(console, 'warn');
    expect(epanet.read(inp).run.warnings).toContain(warning);
    expect(written).not.toHaveBeenCalled();
    written.mockRestore();
  });

  it('tells that a network runs for longer than is solved', () => {
    const long = net1.replace('[OPTIONS]', '[TIMES]\nDuration 2000\nHydraulic Timestep 1:00\n[OPTIONS]');
    const { run, found } = epanet.read(long);
    expect([run.isTruncated, found.steps]).toEqual([true, 1000]);
  });

  it('ends between two hours when the caller wants it to, and works on', () => {
    let steps = 0;
    const step = (): void => {
      steps += 1;
      if (steps > 2) throw new Error('enough');
    };
    expect(() => epanet.read(inpOf(network('hazen_williams', [1e-3, 5e-4, 2e-4, 1e-4])), step)).toThrow('enough');
    expect(steps).toBe(3);
    expect(epanet.solve(net1).hours).toHaveLength(1);
  });

  it('says what it cannot read, and works on', () => {
    expect(() => epanet.solve('[JUNCTIONS]\nA 0 1\n[END]\n')).toThrow(EpanetError);
    expect(() => epanet.solve('nothing of the kind')).toThrow(EpanetError);
    expect(epanet.solve(net1).hours).toHaveLength(1);
  });
});

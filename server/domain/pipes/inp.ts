import type { WaterNetwork, WaterPipe } from './network.ts';

const header = 'Pipes of a map. Lengths in m, flows in m3/h; coordinates are degrees east and north (WGS 84).';

/**
 * A network in EPANET's input format (EPANET 2.2 User Manual (2020), appendix C). Each group of devices is open for an
 * hour, one after the other.
 */
export function inpOf(network: WaterNetwork): string {
  const { nodes, pipes, groups, friction, heads_m, pump, sources: count = 1 } = network;
  const [sources, others] = [nodes.slice(0, count), nodes.slice(count)];
  const row = (...cells: (string | number)[]): string => cells.join('\t');
  const lifted = pump === null ? [] : sources;
  const sections: [string, string[]][] = [
    ['TITLE', [header]],
    [
      'JUNCTIONS',
      [
        ...lifted.map(({ elevation_m }, at) => row(`N${at}`, num(elevation_m), 0)),
        ...others.map(({ elevation_m, demand }, at) => {
          const takes = demand === null ? [0] : [num(demand.flow_m3_s * 3600), `G${demand.group + 1}`];
          return row(`N${at + count}`, num(elevation_m), ...takes);
        }),
      ],
    ],
    ['RESERVOIRS', heads_m.map((head_m, at) => row(pump === null ? `N${at}` : wellOf(at), num(head_m)))],
    ['PIPES', pipes.map((pipe, at) => pipeRow(pipe, at, network.roughness).join('\t'))],
    ['PUMPS', lifted.map((_, at) => row(pumpOf(at), wellOf(at), `N${at}`, 'HEAD', 'CURVE'))],
    ['CURVES', pump === null ? [] : pumpRows(pump)],
    ['PATTERNS', Array.from({ length: groups }, (_, group) => patternRows(group, groups)).flat()],
    [
      'TIMES',
      [`Duration\t${groups - 1}:00`, 'Hydraulic Timestep\t1:00', 'Pattern Timestep\t1:00', 'Report Timestep\t1:00'],
    ],
    ['REPORT', ['Status\tNo', 'Messages\tNo']],
    [
      'OPTIONS',
      [
        'Units\tCMH',
        `Headloss\t${friction === 'hazen_williams' ? 'H-W' : 'D-W'}`,
        'Viscosity\t1',
        'Trials\t200',
        // EPANET's default: with a finer one, the noise of pipes without flow counts as imbalance, and the hours after
        // it are left out.
        'Accuracy\t0.001',
        'Unbalanced\tContinue 10',
      ],
    ],
    [
      'COORDINATES',
      [...lifted.map(({ at }, n) => row(wellOf(n), ...at)), ...nodes.map(({ at }, n) => row(`N${n}`, ...at))],
    ],
    [
      'VERTICES',
      pipes.flatMap(({ coordinates }, at) => coordinates.slice(1, -1).map((place) => row(`P${at + 1}`, ...place))),
    ],
  ];
  const text = sections.flatMap(([name, rows]) => (rows.length === 0 ? [] : [`[${name}]`, ...rows, '']));
  return [...text, '[END]', ''].join('\n');
}

function wellOf(source: number): string {
  return source === 0 ? 'WELL' : `WELL${source + 1}`;
}

function pumpOf(source: number): string {
  return source === 0 ? 'PUMP' : `PUMP${source + 1}`;
}

function pipeRow({ from, to, length_m, size, minor }: WaterPipe, at: number, roughness: number): (string | number)[] {
  return [
    `P${at + 1}`,
    `N${from}`,
    `N${to}`,
    num(Math.max(0.01, length_m)),
    num(size.inner_mm),
    roughness,
    num(minor),
    'Open',
  ];
}

/** EPANET fits its own curve through one or three points; more are joined by straight lines, as here. */
function pumpRows(points: NonNullable<WaterNetwork['pump']>): string[] {
  const rows = points.flatMap((point, at) => {
    const next = points[at + 1];
    if (points.length > 3 || next === undefined) return [point];
    const between = (share: number) => ({
      flow_m3_h: point.flow_m3_h + share * (next.flow_m3_h - point.flow_m3_h),
      head_m: point.head_m + share * (next.head_m - point.head_m),
    });
    return [point, between(1 / 3), between(2 / 3)];
  });
  return rows.map(({ flow_m3_h, head_m }) => `CURVE\t${num(flow_m3_h)}\t${num(head_m)}`);
}

function patternRows(group: number, groups: number): string[] {
  const factors = Array.from({ length: groups }, (_, hour) => (hour === group ? 1 : 0));
  const rows: string[] = [];
  for (let at = 0; at < factors.length; at += 24)
    rows.push([`G${group + 1}`, ...factors.slice(at, at + 24)].join('\t'));
  return rows;
}

/** Without an exponent, or noise in the last digits. */
function num(value: number): string {
  return String(Number(value.toFixed(6)));
}

import { expect, it } from 'vitest';
import type { OutputState } from '../../../../server/contract/output.ts';
import { ClimateDrive } from '../../../../server/daemon/controllers/climate/climate-drive.ts';
import type { BoundActuator } from '../../../../server/daemon/controllers/climate/climate-house.ts';
import { cause, type Demand } from '../../../../server/domain/climate-program/moment.ts';
import { simulatedOutput } from '../../../support/daemon-site.ts';
import { outputsSite } from '../../../support/outputs-site.ts';

const id = (n: number) => `00000000-0000-4000-8000-0000000000f${n}`;
const owner = { unique_id: id(0), name: 'Tomato' };
const [pump, ...valves] = [id(1), id(2), id(3), id(4), id(5)] as const;
const turn_s = 120;

const bound = [pump, ...valves].map((output_id): BoundActuator => ({
  key: output_id,
  output_id,
  channel: 0,
  name: output_id,
  flow_meter: undefined,
  role: output_id === pump ? 'irrigation_pump' : 'irrigation_valve',
}));

it('tells a demand again whose command failed after its answer', async () => {
  const { clock, outputs, start, stateOf, actuatorOf } = outputsSite();
  await start([simulatedOutput(pump, 'heater')]);
  const drive = new ClimateDrive({ outputs, clock, owner: () => owner });
  const [bound_pump] = bound;
  const on: Demand = { key: pump, pct: 100, cause: cause('circulation_spread', { spread_k: 2, limit_k: 1 }) };
  const off: Demand = { key: pump, pct: 0, cause: cause('circulation_off') };
  const ask = (demand: Demand) => drive.ask([demand], bound_pump === undefined ? [] : [bound_pump]);
  await ask(off);
  const device = actuatorOf(pump);
  device.answer = 'hang';
  const first = ask(on);
  await clock.advance(2_000);
  device.give('refused');
  await clock.advance(1_000);
  device.answer = 'acknowledge';
  expect([await first, stateOf(pump)]).toEqual([null, 'off']);
  await ask(on);
  await clock.advance(1_000);
  expect(stateOf(pump)).toBe('on');
});

it('runs a pump through every turn of a shot, each valve once and for its time', async () => {
  const { clock, outputs, start, stateOf } = outputsSite();
  await start([pump, ...valves].map((one) => simulatedOutput(one, 'heater')));
  const drive = new ClimateDrive({ outputs, clock, owner: () => owner });
  const shown = { sum_j_cm2: 0, threshold_j_cm2: 100, water_l_m2: 0, rested_min: 0 };
  /** What the loop demands while one of the valves has its turn. */
  const demandsOf = (turn: number): Demand[] => {
    const why = turn === 0 ? cause('irrigate_sum', shown) : cause('irrigate_now', { ...shown, valves: 4 - turn });
    const once = { id: String(turn), for_s: turn_s };
    return bound.map(({ key }) =>
      key === pump || key === valves[turn] ? { key, pct: 100, cause: why, once } : { key, pct: 0, cause: why },
    );
  };
  const seen: OutputState[][] = [];
  for (const turn of valves.keys()) {
    for (let looks = 0; looks < turn_s / 30; looks += 1) {
      expect(await drive.ask(demandsOf(turn), bound)).toBeNull();
      await clock.advance(looks === 0 ? 29_000 : 30_000);
      if (looks === 0) seen.push([stateOf(pump), ...valves.map(stateOf)]);
    }
    await clock.advance(1_000);
  }
  expect(seen).toEqual(valves.map((valve) => ['on', ...valves.map((one) => (one === valve ? 'on' : 'off'))]));
  expect([pump, ...valves].map(stateOf)).toEqual(['off', 'off', 'off', 'off', 'off']);
});

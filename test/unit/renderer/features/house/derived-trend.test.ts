import { describe, expect, it } from 'vitest';
import { derivedTrend } from '../../../../../renderer/features/house/derived-trend.ts';
import { dewPoint_c, vapourDeficit_kpa } from '../../../../../server/domain/climate/air.ts';

const at = (time_ms: number, value: number | null) => ({ time_ms, value });
const only = (...samples: ReturnType<typeof at>[]) => [{ samples, weight: 1 }];

describe('what follows from the air of the last day', () => {
  it('is derived at each time at which one of its sensors was read', () => {
    const found = derivedTrend(only(at(0, 20), at(20, 25)), only(at(10, 50), at(20, 60)), vapourDeficit_kpa);
    // Before the first humidity nothing is known; ASHRAE Fundamentals 2017, ch. 1, table 3: 2.3392 and 3.1693 kPa.
    expect(found).toEqual([
      at(0, null),
      at(10, expect.closeTo(1.17, 2) as number),
      at(20, expect.closeTo(1.267, 2) as number),
    ]);
  });

  it('breaks where a sensor was silent', () => {
    const found = derivedTrend(only(at(0, 20), at(10, null), at(20, 20)), only(at(0, 100)), dewPoint_c);
    expect(found).toEqual([
      at(0, expect.closeTo(20, 6) as number),
      at(10, null),
      at(20, expect.closeTo(20, 6) as number),
    ]);
  });

  it('takes several sensors by their shares, and those that are left when one is silent', () => {
    const two = [
      { samples: [at(0, 10), at(10, null)], weight: 3 },
      { samples: [at(0, 30)], weight: 1 },
    ];
    const found = derivedTrend(two, only(at(0, 50)), (temp_c) => temp_c);
    expect(found).toEqual([at(0, 15), at(10, 30)]);
  });

  it('is nothing without sensors of one role', () => {
    expect(derivedTrend([], only(at(0, 50)), dewPoint_c)).toEqual([at(0, null)]);
    expect(derivedTrend([], [], dewPoint_c)).toEqual([]);
  });

  it('ends where one of its sensors falls silent, though the other goes on', () => {
    const minute = 60_000;
    const found = derivedTrend(
      only(at(0, 20), at(10 * minute, 20), at(60 * minute, 20)),
      only(at(0, 50)),
      (temp_c) => temp_c,
    );
    expect(found.map(({ value }) => value)).toEqual([20, 20, null]);
  });
});

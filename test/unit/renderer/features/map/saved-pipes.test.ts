import { describe, expect, it } from 'vitest';
import { innerDiameterOf, isOwnersPipe, savedPipes } from '../../../../../renderer/features/map/saved-pipes.ts';
import { shadeValues } from '../../../../../renderer/features/map/pipe-colors.ts';
import type { Feature } from '../../../../../server/contract/overlay.ts';

const id = '6b1f0a52-94d4-4d2c-8a53-0f4c9f1d2e3a';
const figures = { diameter_mm: 63, inner_mm: 55.4, flow_m3_h: 2, velocity_m_s: 0.4, head_loss_m: 0.1, pressure_bar: 2 };

function pipe(more: object): Feature {
  return {
    type: 'Feature',
    geometry: { type: 'LineString', coordinates: [[127, 37], [127.1, 37]] }, // prettier-ignore
    properties: { type: 'pipe', name: '', unique_id: id, ...more },
  };
}

const laid = { plan_id: id, length_m: 10, from: 'a', to: 'b', role: 'main', serves: 2 };

describe('pipes that no plan laid', () => {
  it('are lines that a person drew', () => {
    const point = { ...pipe({}), geometry: { type: 'Point' as const, coordinates: [127, 37] } };
    expect([pipe({}), pipe(laid), pipe({ type: 'connection' }), point].map(isOwnersPipe)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it.each([
    ['alike', [55, 55], 55],
    ['different', [55, 40], null],
    ['known of one alone', [55, undefined], null],
    ['not known', [undefined, undefined], null],
    ['of none', [], null],
  ])('have one diameter where theirs are %s', (_what, entered, one) => {
    expect(innerDiameterOf(entered.map((inner_mm) => pipe({ inner_mm })))).toBe(one);
  });
});

describe('savedPipes', () => {
  it('reads what a plan has laid with its figures, and nothing that a person drew', () => {
    const found = savedPipes([pipe({ inner_mm: 40 }), pipe(laid), pipe({ ...laid, ...figures })]);
    expect(found.map(({ properties }) => properties.velocity_m_s)).toEqual([undefined, 0.4]);
    expect(shadeValues(found, 'pressure_bar')).toEqual([2]);
  });

  it('leaves out what another program wrote otherwise', () => {
    expect(savedPipes([pipe({ ...laid, ...figures, velocity_m_s: 'fast' }), pipe({ plan_id: 'mine' })])).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { PipeFeature } from '../../../../../server/contract/pipe.ts';
import { previewOf, shadeBands, shadeValues } from '../../../../../renderer/features/map/pipe-colors.ts';
import { hydraulicsOf, newSizeDraft } from '../../../../../renderer/features/map/pipe-sizes.ts';

function pipe(diameter_mm?: number): PipeFeature {
  const id = '6b1f0a52-94d4-4d2c-8a53-0f4c9f1d2e3a';
  return {
    type: 'Feature',
    geometry: { type: 'LineString', coordinates: [] },
    properties: {
      type: 'pipe',
      name: '',
      unique_id: id,
      plan_id: id,
      length_m: 1,
      from: 'a',
      to: 'b',
      role: 'main',
      serves: 2,
      ...(diameter_mm !== undefined && { diameter_mm }),
    },
  };
}

describe('shadeBands', () => {
  it('has one band a value, the least and the most at the ends of the ramp', () => {
    const bands = shadeBands([63, 32, 63, 50]);
    expect(bands.map(({ from, to }) => [from, to])).toEqual([32, 50, 63].map((one) => [one, one]));
    expect(new Set(bands.map(({ color }) => color)).size).toBe(3);
  });

  it('has one band for values that look the same', () => {
    expect(shadeBands([0.4512, 0.4538, 0.9]).map(({ to }) => to)).toEqual([0.45, 0.9]);
  });

  it('has five bands that join where values are many', () => {
    const bands = shadeBands([10, 20, 30, 40, 50, 60]);
    expect(bands.map(({ from, to }) => [from, to])).toEqual([10, 20, 30, 40, 50].map((one) => [one, one + 10]));
  });

  it('has none without sizes', () => {
    expect(shadeBands(shadeValues([pipe()], 'diameter_mm'))).toEqual([]);
    expect(previewOf([pipe()], 'diameter_mm')).toEqual([{ positions: [], isMain: true }]);
  });

  it('gives each pipe the colour of its band', () => {
    const values = [10, 20, 30, 40, 50, 60];
    const colors = previewOf(values.map(pipe), 'diameter_mm').map(({ color }) => color);
    expect(colors).toEqual([0, 0, 1, 2, 3, 4].map((at) => shadeBands(values)[at]?.color));
  });
});

describe('hydraulicsOf', () => {
  const draft = { ...newSizeDraft(), isWanted: true };
  it('asks for nothing, for nothing yet, or for what is entered', () => {
    expect(hydraulicsOf(newSizeDraft(), [])).toBeUndefined();
    expect(hydraulicsOf({ ...draft, flow_l_h: null }, [])).toBeNull();
    expect(hydraulicsOf({ ...draft, source_bar: 3, turns: 'one_by_one' }, ['a', 'b'])).toEqual({
      series: 'pe100_sdr17',
      flow_l_h: 1000,
      pressure_bar: 1.5,
      most_velocity_m_s: 1.5,
      source_pressure_bar: 3,
      groups: [['a'], ['b']],
    });
  });
});

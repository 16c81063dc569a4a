import { describe, expect, it } from 'vitest';
import { nights } from '../../../../renderer/chart/night.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const spanOf = (iso: string, days: number) => {
  const fromMs = Date.parse(iso);
  return { from_ms: fromMs, to_ms: fromMs + days * dayMs };
};

describe('nights', () => {
  it('last twelve hours on the equator at an equinox', () => {
    const found = nights(spanOf('2026-03-20T12:00:00Z', 1), { lat: 0, lng: 0 });
    expect(found).toHaveLength(1);
    const [night] = found;
    // Sunset and sunrise count with the upper limb and refraction: a few minutes shorter than half a day.
    expect(((night?.to_ms ?? 0) - (night?.from_ms ?? 0)) / hourMs).toBeCloseTo(11.89, 1);
    expect(new Date(night?.from_ms ?? 0).toISOString()).toMatch(/^2026-03-20T18:1/);
  });

  it('are one for each day, and none where the span is too long', () => {
    expect(nights(spanOf('2026-11-01T03:00:00Z', 7), { lat: 37.5, lng: 127 })).toHaveLength(7);
    expect(nights(spanOf('2026-01-01T00:00:00Z', 60), { lat: 37.5, lng: 127 })).toEqual([]);
  });

  it('cover the polar night and leave out the polar day', () => {
    const tromso = { lat: 69.65, lng: 18.96 };
    expect(nights(spanOf('2026-06-20T00:00:00Z', 2), tromso)).toEqual([]);
    const dark = nights(spanOf('2026-12-20T00:00:00Z', 2), tromso);
    expect(dark.reduce((sum, night) => sum + night.to_ms - night.from_ms, 0)).toBeGreaterThan(2 * dayMs);
  });
});

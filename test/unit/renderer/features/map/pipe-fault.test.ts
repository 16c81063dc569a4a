import { describe, expect, it } from 'vitest';
import { numberFault } from '../../../../../renderer/features/map/pipe-fault.ts';

describe('numberFault', () => {
  it.each([
    ['options.clearance_m', 'must be at least 0', ['pipes.clearance', 'm', 'atLeast', 0]],
    ['hydraulics.zones[0].inner_mm', 'must be at most 50', ['pipes.lineInner', 'mm', 'atMost', 50]],
    ['hydraulics.devices[2].elevation_m', 'must be at least -500', ['pipes.elevation', 'm', 'atLeast', -500]],
    ['options.reuse[0]', 'is no line of the map', undefined],
  ])('reads %s: %s', (path, message, expected) => {
    const fault = numberFault({ path, code: 'invalid_field', message });
    expect(fault && [fault.label, fault.unit, fault.limit, fault.value]).toEqual(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { pidKind } from '../../../../../server/contract/pid.ts';
import { pidSchema } from '../../../../../renderer/features/control/pid-form.ts';
import { withDefaults, type OptionSchema } from '../../../../../renderer/features/devices/form/option-schema.ts';

describe('withDefaults', () => {
  it('says what the service fills in, and leaves what the schema says itself', () => {
    const schema: OptionSchema = {
      properties: { period_s: { type: 'number' }, shape: { default: 'linear' }, name: {} },
    };
    expect(withDefaults(schema, { period_s: 30, shape: 'steps', setpoint: null }).properties).toEqual({
      period_s: { type: 'number', default: 30 },
      shape: { default: 'linear' },
      name: {},
    });
  });

  it('reaches each branch of a variant', () => {
    const branches: OptionSchema[] = [{ properties: { period_s: {} } }, { properties: { at: {} } }];
    expect(withDefaults({ oneOf: branches }, { period_s: 60 }).oneOf?.[0]?.properties?.['period_s']).toEqual({
      default: 60,
    });
  });

  it('finds a field of the form for every number that the service fills in for a PID', () => {
    const numbers = Object.entries(pidKind.stored?.defaults ?? {}).filter(([, value]) => typeof value === 'number');
    expect(numbers.length).toBeGreaterThan(3);
    const { properties } = withDefaults(pidSchema, Object.fromEntries(numbers));
    for (const [name, value] of numbers) expect(properties?.[name]?.default).toBe(value);
  });
});

// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import { VTextField } from 'vuetify/components/VTextField';
import type { Fault } from '../../../../../renderer/features/devices/form/field-faults.ts';
import { provideForm } from '../../../../../renderer/features/devices/form/form-context.ts';
import { schemaOf, type OptionSchema } from '../../../../../renderer/features/devices/form/option-schema.ts';
import SchemaField from '../../../../../renderer/features/devices/form/SchemaField.vue';
import { useSettings } from '../../../../../renderer/stores/settings.ts';
import { displayOptions } from '../../../../../server/contract/drivers/virtual.ts';
import { modbusOptions } from '../../../../../server/contract/drivers/modbus.ts';
import { degreeHours } from '../../../../../server/contract/functions/day-sums.ts';
import { evapotranspiration } from '../../../../../server/contract/functions/evapotranspiration.ts';
import { defaultSettings } from '../../../../../server/services/setting/defaults.ts';
import { mounted } from '../../ui/mounted.ts';

const optionsOf = (name: string, { properties = {} }: OptionSchema): OptionSchema => properties[name] ?? {};

/** A field with an entry, as a form shows it in a site in feet and Fahrenheit. */
async function shown(name: string, schema: OptionSchema, entry?: number, fault: Fault | null = null) {
  const form = defineComponent(() => {
    provideForm({ kind: () => null, field: SchemaField, faultAt: () => fault, refusalAt: () => null });
    return () => h(SchemaField, { name, path: name, schema, siblings: {}, modelValue: entry });
  });
  const field = mounted(form, {});
  useSettings().site = { ...defaultSettings('UTC'), length_unit: 'ft', temperature_unit: 'f' };
  await nextTick();
  return field.getComponent(VTextField);
}

it('limits an entry in the unit in which it is typed', async () => {
  const elevation = optionsOf('elevation_m', schemaOf(evapotranspiration.options));
  const field = await shown('elevation_m', elevation, 7_000, 'range');
  expect(field.text()).toContain('ft');
  expect(field.props('hint')).toContain('-1,640.42 to 19,685.04');
  expect(field.props('errorMessages')).toBe('A number from -1,640.42 to 19,685.04.');
});

it.each(['base_c', 'upper_c'])('takes %s in the degrees of the site', async (name) => {
  const field = await shown(name, optionsOf(name, schemaOf(degreeHours.options)), 10);
  expect(field.text()).toContain('°F');
  expect(field.get('input').element.value).toBe('50');
  expect(field.props('hint')).toContain('-58 to 176');
});

it('writes what is used when empty as any other number', async () => {
  const field = await shown('timeout_ms', optionsOf('timeout_ms', schemaOf(modbusOptions)));
  expect(field.props('placeholder')).toBe('1,000');
  expect(field.props('hint')).toContain('1,000 if empty');
});

it('names the unit of a long time that is used when empty', async () => {
  const field = await shown('max_age_s', optionsOf('max_age_s', schemaOf(displayOptions)));
  expect(field.props('placeholder')).toBe('10 min');
});

it('does not round a small limit to 0', async () => {
  const field = await shown('least_reaction', { type: 'number', minimum: 0.001, maximum: 5 }, 0, 'range');
  expect(field.props('errorMessages')).toBe('A number from 0.001 to 5.');
});

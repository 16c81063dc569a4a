// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import PropertyForm from '../../../../../renderer/features/map/PropertyForm.vue';
import { square } from '../../map/features.ts';
import { mounted } from '../../ui/mounted.ts';

it.each([
  [true, undefined],
  [false, expect.stringContaining('a house or a device')],
])('says why the type stays to who could change it (read only: %s)', (isReadOnly, title) => {
  const props = { feature: square(1), isReadOnly, facilityUuid: 'house', isDeviceShown: false };
  const form = mounted(PropertyForm, { props });
  expect(form.get('.form__facts dd').attributes('title')).toEqual(title);
});

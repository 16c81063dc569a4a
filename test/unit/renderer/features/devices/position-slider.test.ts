// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { VSlider } from 'vuetify/components/VSlider';
import PositionSlider from '../../../../../renderer/features/devices/PositionSlider.vue';
import { mounted } from '../../ui/mounted.ts';

it.each([
  { what: 'the position of the device', position: 40, chosen: null, said: '40\u202f%' },
  { what: 'a known 0', position: 0, chosen: null, said: '0\u202f%' },
  { what: 'no unknown position as 0', position: null, chosen: null, said: 'Unknown' },
  { what: 'what is chosen while the position is unknown', position: null, chosen: 60, said: '60\u202f%' },
])('shows and reads out $what', ({ position, chosen, said }) => {
  const props = { name: 'Vent', label: 'Position of Vent', isBusy: false, isLocked: false, hasEnds: true };
  const slider = mounted(PositionSlider, { props: { ...props, position, chosen } });
  expect(slider.get('[role=slider]').attributes('aria-valuetext')).toBe(said);
  // Its class hides the thumb.
  expect(slider.getComponent(VSlider).classes('slide--unknown')).toBe(said === 'Unknown');
});

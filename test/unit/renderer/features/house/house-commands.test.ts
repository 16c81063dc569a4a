// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent, type ComputedRef } from 'vue';
import type { PaletteCommand } from '../../../../../renderer/features/feature.ts';
import { useHouseCommands } from '../../../../../renderer/features/house/commands.ts';
import { useDesigns } from '../../../../../renderer/stores/design.ts';
import { useFacilities } from '../../../../../renderer/stores/facility.ts';
import { mounted } from '../../ui/mounted.ts';

it('names the map of a house where there are several', () => {
  let offered: ComputedRef<PaletteCommand[]> | undefined;
  mounted(
    defineComponent(() => {
      offered = useHouseCommands();
      return () => null;
    }),
    {},
  );
  const [facilities, designs] = [useFacilities(), useDesigns()];
  const house = (unique_id: string, geo_id: string) =>
    ({ unique_id, geo_id, name: 'House 1' }) as (typeof facilities.list)[number]; // what it reads
  const map = (map_uuid: string, name: string) => ({ map_uuid, name }) as (typeof designs.list)[number]; // the same
  const hints = () => offered?.value.map(({ title, hint }) => `${title}: ${hint}`);
  facilities.list = [house('a', 'north'), house('b', 'south')];
  designs.list = [map('north', 'North field')];
  expect(hints()).toEqual(['House 1: Houses', 'House 1: Houses']);
  designs.list = [map('north', 'North field'), map('south', 'South field')];
  expect(hints()).toEqual(['House 1: North field · Houses', 'House 1: South field · Houses']);
});

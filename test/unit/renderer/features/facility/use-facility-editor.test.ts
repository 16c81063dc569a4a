// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent } from 'vue';
import type { Facility } from '../../../../../server/contract/facility.ts';
import { useFacilityEditor } from '../../../../../renderer/features/facility/use-facility-editor.ts';
import { mounted } from '../../ui/mounted.ts';

const id = '00000000-0000-4000-8000-000000000001';
const at = '2026-01-01T00:00:00.000Z';
const house: Facility = {
  unique_id: id,
  shape_uuid: id,
  geo_id: id,
  preset: 'venlo',
  structure: 'connected',
  bay_count: 4,
  name: 'First',
  envelope: { material: 'glass_single', bay_width_m: 8, length_m: 40, eave_height_m: 5, ridge_height_m: 5.9 },
  sensors: [],
  actuators: [],
  openings: [],
  curtains: [],
  fans: [],
  view_3d: { orientation_deg: 10, spacing_m: 2, render_mode: 'solid', category_visibility: {} },
  notes: '',
  revision: 3,
  created_at: at,
  updated_at: at,
};

/** The editor of a house that is saved elsewhere meanwhile. */
async function openEditor() {
  const server = { house, isAway: false };
  const answers = { facilities: [], materials: [], features: [], devices: [], lcds: [], alarms: [] };
  const used: ReturnType<typeof useFacilityEditor>[] = [];
  const page = defineComponent(() => {
    used.push(useFacilityEditor(() => ({ facilityUuid: id, shapeUuid: undefined })));
    return () => null;
  });
  mounted(page, {
    fetch: (address) => {
      if (server.isAway) return Promise.reject(new TypeError('the server is away'));
      return Promise.resolve(Response.json(address === `/api/geo/facility/${id}` ? server.house : answers));
    },
  });
  const [editor] = used;
  if (editor === undefined) throw new Error('not mounted');
  await editor.load();
  return { editor, server };
}

it('brings the entries back onto a house that was reloaded after somebody else had saved it', async () => {
  const { editor, server } = await openEditor();
  if (editor.draft.value !== null) editor.draft.value.envelope.length_m = 60;
  server.house = { ...house, name: 'Renamed', revision: 4 };
  const restore = await editor.reload();
  expect([editor.draft.value?.name, editor.draft.value?.envelope.length_m]).toEqual(['Renamed', 40]);
  expect(editor.isDirty.value).toBe(false);
  restore?.();
  expect(editor.draft.value?.envelope.length_m).toBe(60);
  expect([editor.isDirty.value, editor.known.value?.revision]).toEqual([true, 4]);
});

it('keeps the entries where the house cannot be read', async () => {
  const { editor, server } = await openEditor();
  if (editor.draft.value !== null) editor.draft.value.envelope.length_m = 60;
  server.isAway = true;
  expect(await editor.reload()).toBeNull();
  expect(editor.draft.value?.envelope.length_m).toBe(60);
});

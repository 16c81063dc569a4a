// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { VBtn } from 'vuetify/components/VBtn';
import { VCard } from 'vuetify/components/VCard';
import ConflictDialog from '../../../../../renderer/features/map/ConflictDialog.vue';
import { idOf, type Conflict } from '../../../../../renderer/map/edit-buffer.ts';
import type { Feature } from '../../../../../server/contract/overlay.ts';
import { square } from '../../map/features.ts';
import { mounted } from '../../ui/mounted.ts';

vi.stubGlobal('visualViewport', new EventTarget()); // a dialog listens to it for as long as it lives

function conflict(mine: Feature, theirs: Feature | null): Conflict {
  return { id: idOf(mine), base: mine, mine, theirs };
}

it('keeps both for all that are there on both sides', async () => {
  const conflicts = [
    conflict(square(1), square(1, 'theirs')),
    conflict(square(2), null),
    conflict(square(3), square(3, 'theirs')),
  ];
  const dialog = mounted(ConflictDialog, { props: { modelValue: true, conflicts } });
  const both = dialog.findAllComponents(VBtn).find((one) => one.text() === 'Keep both for all');
  await both?.trigger('click');
  expect(dialog.emitted('resolve')).toEqual([[[idOf(square(1)), idOf(square(3))], 'both']]);
});

it('names what differs, in whatever order the service has the rest', () => {
  const { properties, ...shape } = square(1);
  const mine = { ...shape, properties: { ...properties, name: 'mine', crop: { kind: 'rice', year: 2026 } } };
  const theirs = { ...shape, properties: { crop: { year: 2026, kind: 'rice' }, ...properties, name: 'theirs' } };
  const conflicts = [conflict(mine, theirs)];
  const dialog = mounted(ConflictDialog, { props: { modelValue: true, conflicts } });
  expect(dialog.findComponent(VCard).text()).toMatch(/Differs in:\s+Name\s*changed here/);
});

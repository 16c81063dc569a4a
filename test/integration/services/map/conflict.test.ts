import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { mostChanges } from '../../../../server/contract/overlay.ts';
import { ann, bob, drawn, refusalOf, testMaps } from '../../../support/maps.ts';

const renamed = (feature: ReturnType<typeof drawn>, name: string) => ({
  ...feature,
  properties: { ...feature.properties, name },
});

/** A map with features of Ann, which then changed much. */
async function setUp(isMuch: boolean) {
  const maps = testMaps();
  const geo_id = await maps.add();
  const [first, kept, gone] = [drawn(), drawn(), drawn()];
  const { revision } = await maps.overlays.save({ geo_id, features: [first, kept, gone] }, ann);
  await maps.overlays.saveDelta(
    { geo_id, modified: [renamed(first, 'Bob')], deleted: [gone.properties.unique_id] },
    bob,
  );
  const added = Array.from({ length: isMuch ? mostChanges : 1_500 }, () => drawn());
  await maps.overlays.saveDelta({ geo_id, added }, bob);
  const refused = (delta: object) => refusalOf(maps.overlays.saveDelta({ geo_id, revision, ...delta }, ann));
  return { maps, geo_id, revision, first, kept, gone, refused };
}

it('says what changed last where more did than is told', async () => {
  const { maps, geo_id, revision, first, kept } = await setUp(false);
  await maps.designs.save({ map_uuid: geo_id, name: 'North farm' }, bob);
  await maps.overlays.saveDelta({ geo_id, modified: [renamed(kept, 'Bob')] }, bob);
  const refusal = await refusalOf(maps.overlays.save({ geo_id, features: [first], revision }, ann));
  const changed = refusal.members?.['changed'] as { unique_id: string; revision: number; kind: string }[]; // of a conflict
  expect(changed).toHaveLength(1_000);
  expect(changed.at(-2)).toMatchObject({ unique_id: geo_id, kind: 'design', by: 'bob' });
  expect(changed.at(-1)).toMatchObject({ unique_id: kept.properties.unique_id, kind: 'modified', by: 'bob' });
  expect(changed.map((one) => one.revision)).toEqual(changed.map((one) => one.revision).sort((a, b) => a - b));
});

it('finds the change of a feature behind many others', async () => {
  const { first, gone, refused } = await setUp(false);
  const told = { code: 'revision_conflict', members: { changed: [{ by: 'bob' }] } };
  expect(await refused({ modified: [renamed(first, 'Ann')] })).toMatchObject(told);
  expect(await refused({ deleted: [gone.properties.unique_id] })).toMatchObject(told);
  expect(await refused({ deleted: [randomUUID()] })).toMatchObject({ code: 'not_found' });
});

it('looks through no long history for a save that it refuses', async () => {
  const { first, gone, refused } = await setUp(true);
  const told = { code: 'revision_conflict', members: { changed: [] } };
  expect(await refused({ modified: [renamed(first, 'Ann')] })).toMatchObject(told);
  expect(await refused({ deleted: [gone.properties.unique_id] })).toMatchObject(told);
});

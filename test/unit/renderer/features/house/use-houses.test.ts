// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent } from 'vue';
import { useHouses, type Houses } from '../../../../../renderer/features/house/use-houses.ts';
import { useNotice } from '../../../../../renderer/stores/notice.ts';
import { mounted } from '../../ui/mounted.ts';
import { eventually } from '../../../../support/eventually.ts';

/** The houses of a site without any, from a server that can be taken away. */
function houses() {
  const server = { isAway: false };
  const used: Houses[] = [];
  const page = defineComponent(() => {
    used.push(useHouses());
    return () => null;
  });
  const fetch = (): Promise<Response> =>
    server.isAway
      ? Promise.reject(new TypeError('the server is away'))
      : Promise.resolve(Response.json({ facilities: [], designs: [] }));
  return { server, open: () => mounted(page, { fetch }), used };
}

it('stay as they were last read where a later reading fails, which a notice says', async () => {
  const { server, open, used } = houses();
  open();
  await eventually(() => expect(used[0]?.isLoading.value).toBe(false));
  server.isAway = true;
  await used[0]?.load();
  expect(used[0]?.error.value).toBeNull();
  expect(useNotice().shown).toMatchObject({ kind: 'problem', action: { label: 'Try again' } });
});

it('are not there where the first reading fails', async () => {
  const { server, open, used } = houses();
  server.isAway = true;
  open();
  await eventually(() => expect(used[0]?.error.value).not.toBeNull());
  expect(useNotice().shown).toBeNull();
});

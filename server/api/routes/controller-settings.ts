import type { ControllerEndpoints } from '../../contract/controller-kind.ts';
import { allKinds, type ControllerWord } from '../../contract/controller-kinds.ts';
import type { SettingsService } from '../../services/device/settings.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

interface PageQuery {
  limit?: number;
  cursor?: string;
}

interface Kept {
  word: string;
  plural: string;
  endpoints: ControllerEndpoints;
}

/** The settings of every kind that is stored by the contract alone. */
export function controllerSettingsRoutes(services: ReadonlyMap<ControllerWord, SettingsService>): Route[] {
  const stored = allKinds.filter((kind) => kind.stored !== undefined);
  return stored.flatMap((kind) => settingsRoutes(kind, () => serviceOf(services, kind.word)));
}

/** Every stored kind has its service. */
function serviceOf(services: ReadonlyMap<ControllerWord, SettingsService>, word: ControllerWord) {
  const service = services.get(word);
  if (service === undefined) throw new Error(`there is no service for the settings of the kind ${word}`);
  return service;
}

/** Lists, makes, reads, changes and deletes the settings of a kind. */
export function settingsRoutes({ word, plural, endpoints }: Kept, service: () => SettingsService): Route[] {
  // The types of an endpoint are known only to its own kind: its schemas have checked what arrives here.
  const idIn = (params: unknown): string => (params as Record<string, string>)[`${word}_id`] ?? '';
  return [
    defineRoute(endpoints.list, ({ query }) => {
      const { page, next_cursor } = pageOf(service().list(), query as PageQuery, ({ unique_id }) => unique_id);
      return { [plural]: page, next_cursor };
    }),
    defineRoute(endpoints.create, async ({ body, actor }) => {
      const made = await service().create(actor, body as object);
      return new Reply(201, made, { Location: `/api/settings/${plural}/${made.unique_id}` });
    }),
    defineRoute(endpoints.get, ({ params }) => service().get(idIn(params))),
    defineRoute(endpoints.change, ({ params, body, actor }) => service().change(actor, idIn(params), body as object)),
    defineRoute(endpoints.remove, async ({ params, actor }) => {
      await service().remove(actor, idIn(params));
      return { unique_id: idIn(params), deleted: true };
    }),
  ];
}

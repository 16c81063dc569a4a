import { test } from 'vitest';
import { openBrowser, openPage } from './browser.ts';
import { MapHand } from './map-hand.ts';
import { removeDataDirectory, startService } from './running-service.ts';
import { ServiceClient } from './service-client.ts';
import { Story } from './story.ts';

/**
 * `it` for tests that draw on maps: in a page that is logged in at a service of its own, both shared by the tests of a
 * file. The pictures of its story are named after `name`.
 */
export function mapBench(name: string) {
  return (
    test
      // eslint-disable-next-line no-empty-pattern -- Vitest reads from it what this needs: nothing
      .extend('service', { scope: 'file' }, async ({}, { onCleanup }) => {
        const service = await startService();
        onCleanup(async () => {
          await service.stop();
          removeDataDirectory(service.dataDirectory);
        });
        return service;
      })
      .extend('client', { scope: 'file' }, async ({ service }, { onCleanup }) => {
        const client = await ServiceClient.setUp(service);
        onCleanup(() => client.close());
        return client;
      })
      .extend('desk', { scope: 'file' }, async ({ service, client }, { onCleanup }) => {
        const browser = await openBrowser(service.url);
        onCleanup(() => browser.close());
        const { page, errors } = await openPage(browser);
        const story = new Story(page, name);
        await story.identify(client);
        return { page, errors, story, hand: new MapHand(page, service, client) };
      })
      .extend('page', ({ desk }) => desk.page)
      .extend('errors', ({ desk }) => desk.errors)
      .extend('story', ({ desk }) => desk.story)
      .extend('hand', ({ desk }) => desk.hand)
  );
}

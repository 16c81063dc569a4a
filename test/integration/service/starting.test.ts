import { get } from 'node:https';
import { expect, it } from 'vitest';
import { freePort } from '../../support/daemon-process.ts';
import { dataFolder, launchService } from '../../support/service-process.ts';

/** What health answers; null while nobody listens. */
function health(port: number): Promise<{ status: number; retry: string | undefined; body: unknown } | null> {
  return new Promise((resolve) => {
    // The certificate is made by this very start: nobody can trust it yet.
    const asked = get(`https://127.0.0.1:${port}/api/health`, { rejectUnauthorized: false }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retry: response.headers['retry-after'],
          body: JSON.parse(text) as unknown,
        }),
      );
    });
    asked.once('error', () => resolve(null));
  });
}

it('health answers 503 while the service starts, and 200 no sooner than its daemon answers', async () => {
  const port = await freePort();
  const service = launchService({ dataDirectory: dataFolder(), env: { ORANGERY_HTTPS_PORT: String(port) } });
  const answers: NonNullable<Awaited<ReturnType<typeof health>>>[] = [];
  const knocking = (async () => {
    const giveUpAt = performance.now() + 50_000;
    while (answers.at(-1)?.status !== 200 && performance.now() < giveUpAt) {
      const answer = await health(port);
      if (answer !== null) answers.push(answer);
    }
  })();
  await service.ready();
  await knocking;
  expect(answers.at(-1)?.status).toBe(200);
  const starting = answers.filter(({ status }) => status !== 200);
  expect(starting.length).toBeGreaterThan(0);
  for (const answer of starting) {
    expect(answer).toMatchObject({ status: 503, retry: '1', body: { code: 'starting', status: 503 } });
  }
  expect(answers.at(-1)?.body).toEqual({ status: 'up' });
}, 60_000);

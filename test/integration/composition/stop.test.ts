import { expect, it, vi } from 'vitest';
import { grower, testDevices } from '../../support/devices.ts';

it('a stop ends the daemon, with its outputs safe, before it waits for a job', async () => {
  const endDaemon = vi.fn(async () => undefined);
  const { jobs, stop } = testDevices({ endDaemon });
  const job = Promise.withResolvers<null>();
  jobs.begin(grower, { kind: 'parcel.from_csv', total: 1, run: () => job.promise }); // it does not look at the signal
  const stopped = stop();
  await vi.waitFor(() => expect(endDaemon).toHaveBeenCalledOnce());
  job.resolve(null);
  await stopped;
});

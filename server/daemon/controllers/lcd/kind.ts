import type { ControlSite, RunningKind } from '../controller-kind.ts';
import { Lcds } from './lcds.ts';

export const lcds: RunningKind<Lcds> = {
  word: 'lcd',
  run: ({ clock, watchdog, live, events, configuration, connect }: ControlSite) =>
    new Lcds({
      clock,
      watchdog,
      live,
      events,
      timeZone: () => configuration.timeZone(),
      connect: (lcd, signal) => connect({ ...lcd, channels: [] }, 'lcd', signal),
    }),
};

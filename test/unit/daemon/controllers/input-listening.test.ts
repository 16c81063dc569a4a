import { expect, it } from 'vitest';
import type { ControllerStatus } from '../../../../server/contract/daemon.ts';
import type { Input } from '../../../../server/contract/input.ts';
import { InputOutputs } from '../../../../server/daemon/controllers/input/input-outputs.ts';
import { InputController } from '../../../../server/daemon/controllers/input/input.ts';
import { DriverError, type Device, type Reading } from '../../../../server/daemon/drivers/driver.ts';
import { EventRing } from '../../../../server/daemon/events/events.ts';
import { LiveValues } from '../../../../server/daemon/events/live-values.ts';
import { confirmed } from '../../../../server/daemon/drivers/outcomes.ts';
import type { Sample } from '../../../../server/measurement/store.ts';
import { plainChannel } from '../../../support/daemon-site.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { noWatchdog } from '../../../support/outputs-site.ts';

const input: Input = {
  unique_id: '00000000-0000-4000-8000-000000000001',
  name: 'climate',
  driver: 'scripted',
  options: {},
  period_s: 10,
  start_offset_s: 0,
  pre_output: null,
  power_output: null,
  is_activated: true,
  channels: [{ ...plainChannel, measurement_id: '00000000-0000-4000-8000-000000000002', plausible_max: 60 }],
};

/** A sensor that speaks when the test says so, and is not heard when the test says why. */
function bench() {
  const clock = new ManualClock();
  const stored: Sample[] = [];
  const statuses: ControllerStatus[] = [];
  const told: { listener?: (readings: readonly Reading[]) => void; silence?: string; storeFault?: string } = {};
  const device: Device = {
    read: async () => {
      if (told.silence !== undefined) throw new DriverError('timed_out', told.silence);
      return [];
    },
    listen: (heard) => void (told.listener = heard),
    close: async () => undefined,
  };
  const controller = new InputController(input, {
    clock,
    watchdog: noWatchdog,
    replace: () => undefined,
    phase: 0,
    live: new LiveValues(clock, new EventRing(clock)),
    writer: {
      write: async (samples) => {
        if (told.storeFault !== undefined) throw new Error(told.storeFault);
        stored.push(...samples);
      },
    },
    outputs: new InputOutputs({ clock, command: async () => confirmed }),
    conversion: () => undefined,
    connect: async () => device,
    statusChanged: (status) => void statuses.push(status),
  });
  return {
    clock,
    controller,
    stored,
    statuses,
    told,
    say: (value: number) => told.listener?.([{ channel: 0, value }]),
  };
}

it('stores what a sensor says by itself at once, judged as any reading', async () => {
  const { clock, controller, stored, say } = bench();
  controller.start();
  await clock.advance(3_210);
  say(21.5);
  say(85);
  await clock.advance(0);
  expect(stored).toMatchObject([
    { value: 21.5, quality: 'good', time_ms: clock.now() },
    { value: 85, quality: 'bad' },
  ]);
  await clock.advance(60_000);
  expect(stored).toHaveLength(2);
});

it('has failed while it is not heard, and works again with its next word', async () => {
  const { clock, controller, statuses, told, say } = bench();
  controller.start();
  await clock.advance(10_000);
  expect(statuses).toEqual([]);
  told.silence = 'it has said nothing for 5 s';
  await clock.advance(10_000);
  expect(statuses).toMatchObject([{ state: 'failed', reason: 'it has said nothing for 5 s' }]);
  delete told.silence;
  say(20);
  expect(statuses.at(-1)).toMatchObject({ state: 'running', reason: null });
});

it('is not to blame for a disk that is full', async () => {
  const { clock, controller, statuses, told, say } = bench();
  controller.start();
  told.storeFault = 'the disk is full';
  await clock.advance(1_000);
  say(20);
  await clock.advance(1_000);
  expect(statuses).toEqual([]);
  expect(controller.status()).toMatchObject({ state: 'running', reason: null });
});

it('says nothing after its end', async () => {
  const { clock, controller, stored, say } = bench();
  controller.start();
  await clock.advance(0);
  await controller.stop();
  say(20);
  await clock.advance(0);
  expect(stored).toEqual([]);
});

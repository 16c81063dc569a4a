import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../server/db/open.ts';
import type { DaemonControl } from '../../../server/orangery_client.ts';
import { startDaemon, until } from '../../support/daemon-process.ts';
import { heaterId } from '../../support/daemon-site.ts';
import { goesSafe, heater, kill, killedWhileOn } from '../../support/heater-site.ts';
import { canMount, smallDisk, type SmallDisk } from '../../support/small-disk.ts';

/** Names of the alarms about what is stored that are raised now. */
async function storeAlarms(control: DaemonControl): Promise<string[]> {
  const { alarms } = await control.live_state();
  return alarms.filter(({ code, is_raised }) => code === 'store_failed' && is_raised).map(({ name }) => name ?? '');
}

/** Whether the override is on disk. */
function isOverrideKept(folder: string): boolean {
  const database = openDatabase(join(folder, 'control.db'), { readonly: true });
  const kept = database.prepare('SELECT 1 FROM output_channels WHERE override_value IS NOT NULL').get();
  database.close();
  return kept !== undefined;
}

function spoil(file: string): void {
  writeFileSync(file, 'not a database any more, and long enough to be looked at'.repeat(200));
}

function withoutIndex(folder: string): void {
  for (const name of ['orangery', 'control', 'measurements']) {
    for (const end of ['-wal', '-shm']) rmSync(join(folder, `${name}.db${end}`), { force: true });
  }
}

type Fault = (disk: SmallDisk) => void;

/** The quick tests take the first three. */
const onDisk: [what: string, fault: Fault, alarms: string[]][] = [
  ['a full disk', ({ fill }) => fill(), []], // there may be room left in the files that are there
  [
    'a read-only disk without the indexes of the databases',
    ({ folder, setReadOnly }) => {
      withoutIndex(folder);
      setReadOnly(true);
    },
    ['control_not_kept', 'settings_not_read'],
  ],
  [
    'a full disk and a damaged control.db',
    ({ folder, fill }) => {
      spoil(join(folder, 'control.db'));
      fill();
    },
    ['control_not_kept'],
  ],
  [
    'a full disk without the indexes of the databases',
    ({ folder, fill }) => {
      withoutIndex(folder);
      fill();
    },
    ['control_not_kept', 'settings_not_read'],
  ],
  ['a read-only disk', ({ setReadOnly }) => setReadOnly(true), ['control_not_kept']],
];

const faults = process.env['TEST_SCALE'] === 'long' ? onDisk : onDisk.slice(0, 3);

describe.skipIf(!canMount)('an actuator that was on when the daemon was killed', { timeout: 120_000 }, () => {
  it.each(faults)('goes safe on %s, and control goes on until the disk is back', async (_what, fault, alarms) => {
    const disk = smallDisk();
    const witness = await killedWhileOn(disk.folder);
    fault(disk);
    const daemon = startDaemon({ dataDirectory: disk.folder });
    await goesSafe(witness);
    const control = await daemon.service();
    expect(
      await until(
        () => storeAlarms(control),
        (raised) => alarms.every((name) => raised.includes(name)),
      ),
    ).toEqual(expect.arrayContaining(alarms));

    const override_until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await control.output_command({ output_id: heaterId, state: true, override_until })).toMatchObject({
      outcome: 'confirmed',
    });
    expect(witness.coil(heater)).toBe(true);

    disk.setReadOnly(false);
    disk.free();
    await until(
      () => storeAlarms(control),
      (raised) => raised.length === 0,
      20,
    );
    await until(
      () => isOverrideKept(disk.folder),
      (isKept) => isKept,
    );
    await kill(daemon);
    const mark = witness.mark();
    await startDaemon({ dataDirectory: disk.folder }).service();
    await until(
      () => witness.moves(heater, mark),
      (moves) => moves.join() === 'false,true',
    ); // safe, then the override that was written late
  });
});

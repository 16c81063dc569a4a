import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LcdDisplay } from '../../../../server/contract/lcd.ts';
import { i2cWriter } from '../../../../server/daemon/drivers/hd44780/i2c-transfer.ts';
import { CharacterDisplay, driver } from '../../../../server/daemon/drivers/hd44780/index.ts';
import { lineBytes } from '../../../../server/daemon/drivers/hd44780/signals.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testFolder } from '../../../support/database.ts';

const lit: LcdDisplay = {
  lcd_id: '00000000-0000-4000-8000-000000000001',
  lines: ['AB', 'C '],
  line_set: 0,
  backlight: true,
  color: null,
  flash: false,
};
const { signal } = new AbortController();
const place = { bus: 1, address: 0x27 };

/** What an HD44780 takes in of the port of its expander: a nibble each time that E falls. */
function taken(bytes: readonly number[]): { rs: number; value: number }[] {
  const nibbles = bytes.flatMap((port, at) => (((bytes[at - 1] ?? 0) & 4) !== 0 && (port & 4) === 0 ? [port] : []));
  return nibbles.flatMap((high, at) =>
    at % 2 === 1 ? [] : [{ rs: high & 1, value: (high & 0xf0) | ((nibbles[at + 1] ?? 0) >> 4) }],
  );
}

it('puts a line at its place in the characters that the display has', () => {
  const line = taken(lineBytes(3, 'A°\\é', { columns: 20, isLit: true }));
  expect(line.map(({ value }) => value)).toEqual([0x80 | 0x54, 0x41, 0xdf, 0x3f, 0x3f]);
  expect(line.map(({ rs }) => rs)).toEqual([0, 1, 1, 1, 1]);
});

describe('a display', () => {
  it('is begun, then written what has changed, and begun anew after a failure', async () => {
    const sent: number[][] = [];
    let fails = false;
    const display = new CharacterDisplay(place, 16, async (_place, bytes) => {
      if (fails) throw new Error('nobody answers');
      sent.push([...bytes]);
    });
    await display.show(lit, signal);
    expect(sent).toHaveLength(7); // five steps of the beginning, two lines
    sent.length = 0;
    await display.show({ ...lit, lines: ['AB', 'D '], backlight: false }, signal);
    expect(sent[0]).toEqual([0]);
    expect(taken(sent[1] ?? []).map(({ value }) => value)).toEqual([0xc0, 0x44, 0x20]);
    fails = true;
    await expect(display.show(lit, signal)).rejects.toThrow('nobody answers');
    [fails, sent.length] = [false, 0];
    await display.show(lit, signal);
    expect(sent).toHaveLength(7);
  });

  it('turns its light over while it flashes, and leaves it as it should be afterwards', async () => {
    const sent: number[][] = [];
    let fails = false;
    const display = new CharacterDisplay(place, 16, async (_place, bytes) => {
      if (fails) throw new Error('nobody answers');
      sent.push([...bytes]);
    });
    await display.show(lit, signal);
    await display.blink(signal); // it does not flash
    await display.show({ ...lit, flash: true }, signal);
    sent.length = 0;
    for (let half = 0; half < 4; half += 1) await display.blink(signal);
    expect(sent).toEqual([[0], [8], [0], [8]]);
    await display.show({ ...lit, backlight: false }, signal);
    sent.length = 0;
    await display.blink(signal);
    expect(sent).toEqual([]);
    await display.show({ ...lit, flash: true }, signal);
    fails = true;
    await display.blink(signal);
    [fails, sent.length] = [false, 0];
    await display.show({ ...lit, flash: true }, signal);
    expect(sent).toHaveLength(7); // begun anew
  });

  it('refuses what it has not', async () => {
    const display = new CharacterDisplay(place, 16, async () => undefined);
    await expect(display.show({ ...lit, color: '#ff0000' }, signal)).rejects.toMatchObject({ code: 'unsupported' });
  });
});

describe('i2ctransfer', () => {
  const program = (body: string): string => {
    const file = join(testFolder(), 'i2ctransfer');
    writeFileSync(file, `#!/bin/sh\n${body}\n`);
    chmodSync(file, 0o755);
    return file;
  };

  it('is called without a shell, with the bytes as its arguments', async () => {
    const file = program('echo "$@" > "$0.said"');
    await i2cWriter(file)(place, [0x08, 0xff], signal);
    expect(readFileSync(`${file}.said`, 'utf8')).toBe('-y 1 w2@0x27 0x08 0xff\n');
  });

  it('says in its own words why nobody answers, and that it is missing', async () => {
    const failing = program('echo "Error: Sending messages failed: Remote I/O error" >&2; exit 1');
    const refused = { code: 'unreachable', message: 'Error: Sending messages failed: Remote I/O error' };
    await expect(i2cWriter(failing)(place, [0], signal)).rejects.toMatchObject(refused);
    const missing = { code: 'unreachable', message: 'i2ctransfer is not there: install i2c-tools on this machine' };
    await expect(i2cWriter('/nowhere/i2ctransfer')(place, [0], signal)).rejects.toMatchObject(missing);
  });
});

it('flashes as long as it is told to and connected', async () => {
  const folder = testFolder();
  const calls = join(folder, 'calls');
  writeFileSync(join(folder, 'i2ctransfer'), `#!/bin/sh\necho "$@" >> ${calls}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const clock = new ManualClock();
  const family = driver.start({ clock, log: () => undefined });
  const device = await family.connect(
    { device_id: lit.lcd_id, kind: 'lcd', options: { columns: 16 }, channels: [] },
    signal,
  );
  const halves = (): number => readFileSync(calls, 'utf8').match(/w1@0x27 0x0[08]$/gm)?.length ?? 0;
  await device.show?.({ ...lit, flash: true }, signal);
  const later = async (): Promise<number> => {
    await clock.advance(500);
    return halves();
  };
  await expect.poll(later).toBeGreaterThan(2);
  await device.close();
  const before = halves();
  await clock.advance(20_000);
  expect(halves()).toBeLessThanOrEqual(before + 1); // one may have been on its way
  await family.close();
});

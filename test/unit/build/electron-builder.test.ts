import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { iconSizes, makeProductIcons, makeTrayIcons } from '../../../build/icons.ts';
import { linkScheme } from '../../../electron/deep-link.ts';
import { testFolder } from '../../support/database.ts';
import configuration from '../../../build/electron-builder.json' with { type: 'json' };

const fromBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'));

interface BuilderCheck {
  validateConfiguration: (config: object, log: { isEnabled: boolean; add: () => void }) => Promise<void>;
}

/** The check that electron-builder itself makes, against its scheme.json: nothing is asked of a network. */
function check(config: object): Promise<void> {
  const { validateConfiguration } = fromBuilder('app-builder-lib/out/util/config/config') as BuilderCheck; // untyped there
  return validateConfiguration(config, { isEnabled: false, add: () => undefined });
}

describe('the configuration of packages', () => {
  const { $schema: _, ...config } = configuration;

  it('is one that electron-builder takes', async () => {
    await expect(check(config)).resolves.toBeUndefined();
  });

  it('would be refused with an unknown key, so the check can fail', async () => {
    await expect(check({ ...config, asarUnpak: [] })).rejects.toThrow(/asarUnpak/);
    await expect(check({ ...config, npmRebuild: 'no' })).rejects.toThrow(/npmRebuild/);
  });

  it('leaves native modules as their packages ship them, outside the archive', () => {
    expect(configuration).toMatchObject({ npmRebuild: false, asarUnpack: ['**/*.node'], asar: true });
  });

  it('makes packages for Linux, Windows and macOS, each for both processors, and publishes nothing', () => {
    const { linux, win, mac, publish } = configuration;
    const targets = [linux, win, mac].map((one) => one.target.map(({ target }) => target));
    expect(targets).toEqual([['deb', 'AppImage'], ['nsis'], ['dmg', 'zip']]);
    for (const { arch } of [linux, win, mac].flatMap((one) => one.target)) expect(arch).toEqual(['x64', 'arm64']);
    expect(publish).toBeNull();
  });

  it('opens links of the scheme that the shell takes', () => {
    expect(configuration.protocols.flatMap(({ schemes }) => schemes)).toEqual([linkScheme]);
  });
});

describe('the icons', () => {
  it('are there in every size, each so many pixels, and in the containers of Windows and macOS', () => {
    const folder = testFolder();
    makeProductIcons(folder);
    for (const size of iconSizes) {
      const { width, height } = decode(readFileSync(join(folder, `${size}x${size}.png`)));
      expect([width, height]).toEqual([size, size]);
    }
    expect(readFileSync(join(folder, 'icon.ico')).readUInt16LE(4)).toBeGreaterThanOrEqual(7); // how many it holds
    expect(readFileSync(join(folder, 'icon.icns')).subarray(0, 4).toString('latin1')).toBe('icns');
  });

  it('of the tray differ by the dot of an alarm', () => {
    const folder = testFolder();
    makeTrayIcons(folder);
    const [quiet, alarm] = ['tray@2x.png', 'tray-alarm@2x.png'].map((name) => decode(readFileSync(join(folder, name))));
    expect([quiet?.width, alarm?.width]).toEqual([32, 32]);
    expect(alarm?.data).not.toEqual(quiet?.data);
  });
});

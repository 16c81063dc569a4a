import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
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

  it('makes deb and AppImage, an installer for Windows and a disk image for macOS, and publishes nothing', () => {
    const { linux, win, mac, publish } = configuration;
    expect([linux.target, win.target, mac.target]).toEqual([['deb', 'AppImage'], ['nsis'], ['dmg']]);
    expect(publish).toBeNull();
  });
});

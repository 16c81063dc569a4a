import { availableParallelism } from 'node:os';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

const root = new URL('..', import.meta.url).pathname;

/** The long tier repeats its properties for minutes. */
const isLong = process.env['TEST_SCALE'] === 'long';
/** Ends what hangs and judges nothing: on a loaded machine everything takes ten times as long. */
const atMost = (testTimeout: number) => ({ testTimeout: isLong ? 60 * 60 * 1000 : testTimeout, hookTimeout: 120_000 });
const globalSetup = './build/compile-sources.ts';

/** A test file belongs to the project of its folder; browser tests come last and get no more than there are cores. */
export default defineConfig({
  root,
  test: {
    reporters: ['default', './build/plain-reporter.ts'],
    // Half of the time tests wait for other processes: one worker more than there are cores fills it.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        plugins: [vue()],
        root,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          server: { deps: { inline: ['vuetify'] } },
          globalSetup,
          ...atMost(30_000),
        },
      },
      {
        root,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup,
          ...atMost(60_000),
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        root,
        test: {
          name: 'peers',
          include: ['test/peers/**/*.test.ts'],
          globalSetup,
          ...atMost(60_000),
        },
      },
      {
        root,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup,
          ...atMost(120_000),
          expect: { poll: { timeout: 30_000 } },
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

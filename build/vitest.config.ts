import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';
import WaitingFirst from './waiting-first.ts';

const root = new URL('..', import.meta.url).pathname;

/** The long tier repeats its properties for minutes. */
const isLong = process.env['TEST_SCALE'] === 'long';
/** Ends tests that hang and is no measure of speed: on a loaded machine everything takes ten times as long. */
const atMost = (testTimeout: number) => ({ testTimeout: isLong ? 60 * 60 * 1000 : testTimeout, hookTimeout: 120_000 });
const around = { globalSetup: './build/compile-sources.ts', setupFiles: './test/support/after-each.ts' };
/**
 * Processes, sockets and browsers share the machine with other work: what fails there is tried once more, and the run
 * names it at its end.
 */
const again = { retry: isLong ? 0 : 1 };
/** Files share a worker: starting one and loading the contract takes longer than most of them. */
const shared = { ...around, isolate: false };

const files = globSync('test/{unit,integration}/**/*.test.ts', { cwd: root });
const filesWith = (text: RegExp): string[] => files.filter((file) => text.test(readFileSync(join(root, file), 'utf8')));
/** Modules that one file replaces, the next would find replaced. */
const replacing = filesWith(/vi\.(mock|doMock|resetModules)\(/);
/** Files with a document share that of their worker: the modules of all components take a second to load. */
const documents = filesWith(/@vitest-environment happy-dom/).filter((file) => !replacing.includes(file));
/** Each of these files has its own worker. */
const alone = [...replacing, ...filesWith(/vi\.stubGlobal\(/)].filter((file) => !documents.includes(file));
/** Leaves nothing on a page that the next file could find. */
const onPage = { setupFiles: [around.setupFiles, './test/support/fresh-document.ts'] };
const isProcess = (file: string): boolean => file.startsWith(join('test', 'integration'));
const unit = { server: { deps: { inline: ['vuetify'] } }, ...atMost(30_000) };
const integration = { ...atMost(120_000), expect: { poll: { timeout: 30_000 } } };
/** Folders of integration tests that start no process. */
const inProcess = 'test/integration/{api,auth,db,exchange,measurement,outbound,services,tiles,tls}/**/*.test.ts';

/** A test file belongs to a project by its folder; browser tests come last. */
export default defineConfig({
  root,
  test: {
    reporters: ['default', './build/plain-reporter.ts'],
    // Tests wait for other processes half of the time: two workers more than there are cores use it.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        plugins: [vue()],
        root,
        test: {
          ...shared,
          ...unit,
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: [...alone, ...documents],
        },
      },
      {
        plugins: [vue()],
        root,
        test: {
          ...shared,
          ...unit,
          // Late answers to a page of the test before can make its stores the active ones.
          ...again,
          name: 'unit, in a document',
          include: documents,
          ...onPage,
        },
      },
      {
        plugins: [vue()],
        root,
        test: { ...around, ...onPage, ...unit, name: 'unit, alone', include: alone.filter((file) => !isProcess(file)) },
      },
      {
        root,
        test: { ...shared, ...again, ...integration, name: 'integration', include: [inProcess] },
      },
      {
        root,
        test: {
          ...shared,
          ...again,
          ...integration,
          name: 'processes',
          include: ['test/integration/**/*.test.ts'],
          exclude: [inProcess, ...alone],
        },
      },
      {
        root,
        test: { ...around, ...again, ...integration, name: 'processes, alone', include: alone.filter(isProcess) },
      },
      {
        root,
        test: {
          ...shared,
          ...again,
          name: 'peers',
          include: ['test/peers/**/*.test.ts'],
          ...atMost(120_000),
        },
      },
      {
        root,
        test: {
          ...shared,
          ...again,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          ...atMost(120_000),
          expect: { poll: { timeout: 30_000 } },
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

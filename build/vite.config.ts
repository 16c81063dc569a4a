import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { defineConfig, type BuildEnvironmentOptions } from 'vite';
import vuetify from 'vite-plugin-vuetify';
import packageJson from '../package.json' with { type: 'json' };
import { makeTrayIcons } from './icons.ts';
import { writeBill } from './sbom.ts';
import { bootTheme } from './boot-theme.ts';
import { compressAssets } from './compress-assets.ts';
import { leanContract } from './lean-contract.ts';
import { ownIcons } from './own-icons.ts';
import { offlineShell } from './offline-shell.ts';
import { threadLicences } from './thread-licences.ts';
import { buildStamp } from './up-to-date.ts';

const root = join(import.meta.dirname, '..');
const outside = ['electron', ...Object.keys(packageJson.dependencies)];

/** Replaced by a fresh value in every page that the server sends. */
const cspNonce = '__ORANGERY_CSP_NONCE__';

/**
 * Programs of the main bundle by their name in dist/main. A worker is found by its name, `*-worker.ts`
 * (server/worker-entry.ts).
 */
function mainEntries(): Record<string, string> {
  const entries: Record<string, string> = {
    index: join(root, 'electron/main.ts'),
    main: join(root, 'server/main.ts'),
    cli: join(root, 'server/cli.ts'),
    daemon: join(root, 'server/daemon/main.ts'),
  };
  for (const file of readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })) {
    const worker = /([^/\\]+-worker)\.ts$/.exec(file)?.[1];
    if (worker) entries[worker] = join(root, 'server', file);
  }
  return entries;
}

/** All files are in one flat folder, so that an entry finds its siblings from any chunk. */
function nodeBuild(folder: string, input: Record<string, string>, format: 'es' | 'cjs'): BuildEnvironmentOptions {
  const extension = format === 'es' ? 'js' : 'cjs';
  return {
    outDir: join(root, folder),
    ssr: true,
    target: 'node24',
    sourcemap: true,
    rolldownOptions: {
      input,
      // depd, under koa, has one eval for wrapping functions, which nothing here calls; the linter checks our own code.
      checks: { eval: false },
      external: outside,
      output: { format, entryFileNames: `[name].${extension}`, chunkFileNames: `[name]-[hash].${extension}` },
    },
  };
}

/** The page at /api works without internet: its files are served from here. */
function copySwaggerUi(): void {
  const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  mkdirSync(join(root, 'dist/swagger-ui'), { recursive: true });
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE']) {
    cpSync(join(from, name), join(root, 'dist/swagger-ui', name));
  }
}

/** The licences of all parts as one file, which the page about the program offers. */
function gatherLicences(): void {
  const texts = ['.', 'renderer', 'main'].map((part) =>
    readFileSync(join(root, 'dist', part, 'THIRD-PARTY.md'), 'utf8'),
  );
  writeFileSync(join(root, 'dist/renderer/licences.md'), texts.join('\n'));
}

/** An incomplete bill must not be shipped. */
function reportUnknown(unknown: string[]): void {
  if (unknown.length > 0) throw new Error(`the bill of materials lacks ${unknown.join(', ')}`);
}

const licences = threadLicences([join(root, 'node_modules/@mdi/js')]);

export default defineConfig({
  root: join(root, 'renderer'),
  base: '/',
  logLevel: 'warn',
  publicDir: false,
  plugins: [
    vue(),
    vuetify({ autoImport: true }),
    leanContract(),
    ownIcons(),
    bootTheme(),
    offlineShell(),
    licences.page,
    compressAssets(),
  ],
  worker: { plugins: () => [leanContract(), licences.thread] },
  html: { cspNonce },
  define: {
    __VUE_OPTIONS_API__: true,
    __VUE_PROD_DEVTOOLS__: false,
    __VUE_I18N_FULL_INSTALL__: false,
    __VUE_I18N_LEGACY_API__: false,
    __INTLIFY_PROD_DEVTOOLS__: false,
  },
  build: { emptyOutDir: true, license: { fileName: 'THIRD-PARTY.md' } },
  environments: {
    client: {
      build: {
        outDir: join(root, 'dist/renderer'),
        target: 'es2023',
        // The content security policy refuses a data: URL in a style or script.
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 900,
        // What every page needs is in one file: a request for each part would cost more than it saves.
        rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', tags: ['$initial'] }] } } },
      },
    },
    main: {
      consumer: 'server',
      resolve: { noExternal: true, external: outside },
      build: nodeBuild('dist/main', mainEntries(), 'es'),
    },
    preload: {
      consumer: 'server',
      resolve: { noExternal: true, external: outside },
      build: nodeBuild('dist/preload', { index: join(root, 'electron/preload/index.ts') }, 'cjs'),
    },
  },
  builder: {
    async buildApp(builder) {
      const begun = new Date();
      rmSync(buildStamp, { force: true });
      for (const name of ['client', 'main', 'preload']) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
      copySwaggerUi();
      makeTrayIcons(join(root, 'dist/icons'));
      reportUnknown(writeBill(join(root, 'dist'), join(root, 'dist/renderer/sbom.cdx.json')));
      cpSync(join(root, 'build/notices.md'), join(root, 'dist/THIRD-PARTY.md'));
      gatherLicences();
      writeFileSync(buildStamp, '');
      utimesSync(buildStamp, begun, begun); // what was edited meanwhile is not in it
    },
  },
});

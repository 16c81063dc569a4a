import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { z } from 'zod';

const packageFolder = /^[^\0].*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const packageFile = z.object({ name: z.string(), version: z.string(), license: z.string() });

/**
 * The notices of a page, to which the packages of its threads are added, and those whose parts are written into our own
 * modules, by their folders: the bundler lists only whose modules the page has.
 */
export function threadLicences(writtenIn: readonly string[]): { thread: Plugin; page: Plugin } {
  const folders = new Set(writtenIn);
  return {
    thread: {
      name: 'thread-packages',
      generateBundle(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          for (const id of chunk.type === 'chunk' ? chunk.moduleIds : []) {
            const [folder] = packageFolder.exec(id) ?? [];
            if (folder !== undefined) folders.add(folder);
          }
        }
      },
    },
    page: {
      name: 'thread-licences',
      apply: 'build',
      applyToEnvironment: (environment) => environment.name === 'client',
      generateBundle: {
        order: 'post',
        handler(_options, bundle) {
          const notices = bundle['THIRD-PARTY.md'];
          if (notices?.type !== 'asset') throw new Error('the pages have no THIRD-PARTY.md');
          notices.source = withPackages(String(notices.source), [...folders].toSorted());
        },
      },
    },
  };
}

/** As the bundler writes them, which is where the bill of materials has names and versions from. */
function withPackages(notices: string, folders: readonly string[]): string {
  return folders.reduce((text, folder) => {
    const { name, version, license } = packageFile.parse(
      JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    );
    const heading = `## ${name} - ${version} (${license})\n`;
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const licence = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    return text.includes(heading) ? text : `${text}\n${heading}${licence}`;
  }, notices);
}

import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { importRules } from '../../build/import-rules.ts';
import { refusedBy } from '../../build/layers.ts';

/** Checks the folders against the import rules; returns a line for each violating import. */
export async function brokenImports(baseDirectory: string): Promise<string[]> {
  const { output } = await cruise(['server', 'electron', 'renderer'], {
    baseDir: baseDirectory,
    ruleSet: { forbidden: importRules },
    validate: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.vue', '.js', '.json'], exportsFields: ['exports'] },
  });
  const result = output as ICruiseResult; // a string only when a reporter is named
  const broken = result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  return [...broken, ...refusedImports(result)];
}

/** What the table of layers forbids. */
function refusedImports({ modules }: ICruiseResult): string[] {
  return modules.flatMap(({ source, dependencies }) =>
    dependencies.flatMap(({ resolved }) => {
      const layer = ownFile.test(resolved) ? refusedBy(source, resolved) : null;
      return layer === null ? [] : [`layer ${layer}: ${source} -> ${resolved}`];
    }),
  );
}

const ownFile = /^(server|electron|renderer|resources|build|test)\//;

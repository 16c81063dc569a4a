import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { importRules } from '../../build/import-rules.ts';

/** Holds the folders against the import rules; gives a line for each import that breaks one. */
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
  return result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
}

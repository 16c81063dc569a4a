import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Names the tests that passed at a second try only, and ends a run with one line that any runner can read:
 * `N passed, N failed, N skipped`.
 */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const unsteady: TestCase[] = [];
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      if (module.children.size === 0 && !module.ok()) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state !== 'pending') counts[state] += 1;
        if (state === 'passed' && (test.diagnostic()?.retryCount ?? 0) > 0) unsteady.push(test);
      }
    }
    for (const test of unsteady) {
      const [error] = test.result().errors ?? [];
      process.stdout.write(`\npassed at the second try: ${test.module.relativeModuleId} > ${test.fullName}`);
      process.stdout.write(`\n  the first: ${error?.stack ?? error?.message ?? 'no error was kept'}\n`);
    }
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  }
}

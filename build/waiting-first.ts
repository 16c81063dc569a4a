import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * These wait for a house most of the time. Started last, as their size would have it, they would leave the cores idle.
 */
const waiting = ['test/e2e/commissioning.test.ts', 'test/e2e/climate.test.ts'];

/** The order of test files: the waiting ones, so that others run beside them, then the larger before the smaller. */
export default class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => (waiting.some((one) => moduleId.endsWith(one)) ? 0 : 1);
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

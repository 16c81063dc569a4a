const ends: (() => void)[] = [];

/**
 * Registers a function to run after the current test, last registered first. Called in `beforeAll`, it runs after the
 * first test.
 */
export function afterTest(end: () => void): void {
  ends.push(end);
}

/** Runs every registered function. */
export function cleanUp(): void {
  for (const end of ends.splice(0).reverse()) end();
}

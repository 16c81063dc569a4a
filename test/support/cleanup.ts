const ends: (() => void)[] = [];

/** Is called after the running test: what was begun last ends first. Called in `beforeAll`, it ends after the first test. */
export function afterTest(end: () => void): void {
  ends.push(end);
}

/** Ends all that the test began. */
export function cleanUp(): void {
  for (const end of ends.splice(0).reverse()) end();
}

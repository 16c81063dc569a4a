/** Marks a sequence that must leave as a Python tuple; an array leaves as a list. Readers return arrays for both. */
export class Tuple {
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }
}

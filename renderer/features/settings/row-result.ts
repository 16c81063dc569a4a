/** How something ended. */
export interface RowResult {
  state: 'never' | 'good' | 'bad';
  text: string;
  /** What a program or another side said of it, in English. */
  said?: string;
}

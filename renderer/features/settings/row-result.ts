/** How an action ended. */
export interface RowResult {
  state: 'never' | 'good' | 'bad';
  text: string;
  /** The message of a program or the other side, in English. */
  said?: string;
}

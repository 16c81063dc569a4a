/** An entry of a list to choose from. */
export interface Choice {
  value: string;
  title: string;
}

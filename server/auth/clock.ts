/** Returns the time in epoch ms. */
export type Clock = () => number;

/** Returns the time in epoch ms. */
export type Now = () => number;

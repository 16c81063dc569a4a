/** Called often while pipes are laid, with the number of further places done; it may throw to end the work. */
export type Step = (done?: number) => void;

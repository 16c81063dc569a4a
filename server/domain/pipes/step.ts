/** Called often while pipes are laid, with how many places more are done with; it may throw to end the work. */
export type Step = (done?: number) => void;

/** Ways to look at a house that a button offers. */
export const viewNames = ['corner', 'front', 'side', 'top'] as const;
export type ViewName = (typeof viewNames)[number];

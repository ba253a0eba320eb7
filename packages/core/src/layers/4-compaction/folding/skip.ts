/** A verdict that says why nothing is done. */
export const skip = (reason: string) => ({ verdict: "skip", reason }) as const;

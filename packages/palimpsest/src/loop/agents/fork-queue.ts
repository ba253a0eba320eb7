import { orAborted } from "../../signals.ts";

/** Lets the first fork of an answer ask first, so that the others read from the cache what it has written there. */
export interface ForkQueue {
  /** Resolves when a fork of this point may ask; `hasAsked` is to be called once its first answer comes, or it ends. */
  enter(point: string, signal: AbortSignal): Promise<{ readonly hasAsked: () => void }>;
}

export function createForkQueue(): ForkQueue {
  let leading: { readonly point: string; readonly asked: Promise<void> } | null = null;
  return {
    async enter(point, signal) {
      if (leading?.point === point) {
        await orAborted(leading.asked, signal);
        return { hasAsked: () => {} };
      }
      let hasAsked = () => {};
      const asked = new Promise<void>((resolve) => {
        hasAsked = resolve;
      });
      leading = { point, asked };
      return { hasAsked };
    },
  };
}

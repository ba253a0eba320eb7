import type { Hooks } from "../spec/index.ts";

/** For sessions of the program's own: no hook hears of them. */
export const noHooks: Hooks = {
  has: () => false,
  run: async () => ({ contexts: [], messages: [], warnings: [] }),
};

import type { Hooks } from "@palimpsest/core/spec";

/** For sessions of the program's own: no hook hears of them. */
export const noHooks: Hooks = {
  has: () => false,
  run: async () => ({ contexts: [], messages: [], warnings: [] }),
};

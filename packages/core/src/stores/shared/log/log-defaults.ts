import type { Durability } from "../../../spec/index.ts";

/** The longest line that is read. A writer keeps far below it, since large values are blobs. */
export const maxLineBytes = 256 * 1024 * 1024;

export const defaultDurability: Durability = "process";

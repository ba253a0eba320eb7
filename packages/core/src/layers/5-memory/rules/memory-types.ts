import type { Memory } from "../../../spec/index.ts";

export { memoryTypes } from "../../../memory/check-memory.ts";

/** What a memory says, and of where it came from: all but where and when it was written. */
export type MemoryContent = Omit<Memory, "path" | "version" | "at">;

/** A memory that is there already. */
export type KnownMemory = Pick<Memory, "path" | "name" | "description" | "type" | "body">;

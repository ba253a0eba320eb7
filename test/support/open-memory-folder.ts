import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type OpenMemoryOptions, openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import { PalimpsestError } from "../../packages/core/src/spec/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A new memory folder on the disk, with a clock that stands still. */
export async function openMemoryFolder(more: Partial<OpenMemoryOptions> = {}) {
  const dir = await temporaryFolder();
  const clock = createVirtualClock();
  const memory = await openMemory({ dir, durable: false, clock, ...more });
  const fileOf = (path: string) => readFile(join(dir, path), "utf8");
  return { dir, clock, memory, fileOf };
}

/** The failure that a call has to end in. */
export async function failure(call: Promise<unknown>): Promise<PalimpsestError> {
  const thrown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!PalimpsestError.isInstance(thrown)) throw thrown ?? new Error("this should have been refused");
  return thrown;
}

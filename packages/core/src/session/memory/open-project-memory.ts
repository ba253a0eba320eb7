import { createRuntime } from "../../runtime.ts";
import type { MemoryFolder, PalimpsestError, Store } from "../../spec/index.ts";
import { createMemorySearch } from "./create-memory-search.ts";
import { deferMemoryFolder } from "./defer-memory-folder.ts";
import { findMemoryPlace } from "./find-memory-place.ts";
import { createMemoryUses } from "./memory-uses.ts";
import type { OpenMemoryOptions } from "./open-memory.ts";

/** What `openMemory` does, loaded when it is called: a folder with its mask, its judge and its search. */
export async function openProjectMemory(options: OpenMemoryOptions): Promise<MemoryFolder> {
  const runtime = createRuntime();
  const { clock = runtime.clock, ids = runtime.ids, embeddings, onProblem = () => undefined } = options;
  const place = await findMemoryPlace(options);
  const uses = createMemoryUses(place.learned, place.project);
  const index =
    place.recall && createMemorySearch({ store: place.recall, clock, ids, embeddings, uses, onProblem });
  const search = options.search === false ? undefined : (options.search ?? index);
  const load = async () => {
    const store = options.store ?? place.recall;
    if (store) await recover(store, onProblem);
    const { composeMemoryFolder } = await import("./compose-memory-folder.ts");
    return composeMemoryFolder({ options, place, uses, runtime });
  };
  return deferMemoryFolder(load, { search, uses, ...(place.close && { close: place.close }) });
}

/** What a dream that was killed had begun to change is brought to its end first: nobody should see half of it. */
async function recover(store: Store, onProblem: (problem: PalimpsestError) => void): Promise<void> {
  const { recoverDreams } = await import("../dream/recover-dreams.ts");
  const recovered = await recoverDreams(store);
  if (!recovered.ok) onProblem(recovered.error);
}

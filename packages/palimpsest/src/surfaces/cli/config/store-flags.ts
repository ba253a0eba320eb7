import { createRuntime, decideStore, type SettingWarning } from "@palimpsest/core/internal";
import { type Disk, type FlagStore, ok, type Result, type StoredFlags } from "@palimpsest/core/spec";
import { projectSlug } from "@palimpsest/core/stores/files";
import { orThrow } from "../../local/or-throw.ts";
import type { CommandContext } from "../../local/terminal.ts";

/** The flags of a project's store; `undefined` where the store keeps none. Throws what is wrong with the store. */
export async function openStoreFlags(
  { stores }: CommandContext,
  disk: Disk,
  project: string,
): Promise<FlagStore | undefined> {
  const opened = await stores?.();
  return opened?.store(orThrow(await projectSlug(disk, project))).flags;
}

export interface SeenStoreFlags {
  readonly stored?: StoredFlags;
  readonly warnings: readonly SettingWarning[];
}

/** Makes and changes nothing, no schema either. A store that cannot be read is said, and hides nothing else. */
export async function readStoreFlags(
  context: CommandContext,
  disk: Disk,
  project: string,
): Promise<SeenStoreFlags> {
  const read = await readFlags(context, disk, project);
  if (read.ok) return { ...(read.value && { stored: read.value }), warnings: [] };
  const message = `The store's flags are not known, and no session opens: ${read.error.message}`;
  return { warnings: [{ setting: "flags of the store", value: "", message }] };
}

/** `undefined` where the store has none. */
async function readFlags(
  { store }: CommandContext,
  disk: Disk,
  folder: string,
): Promise<Result<StoredFlags | undefined>> {
  const { clock, environment } = createRuntime();
  const choice = decideStore({ store, environment });
  if (!choice.ok || choice.value.kind === "files") return choice.ok ? ok(undefined) : choice;
  const project = await projectSlug(disk, folder);
  if (!project.ok) return project;
  const { lookAtFlags } = await import("@palimpsest/core/internal/postgres");
  return lookAtFlags({ url: choice.value.url, clock, project: project.value });
}

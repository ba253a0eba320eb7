import type { SettingWarning } from "../../../context/setting-values.ts";
import { type Disk, type FlagStore, PalimpsestError, type StoredFlags } from "../../../spec/index.ts";
import { projectSlug } from "../../../stores/files/index.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";

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

/** A store that cannot be read is said, and hides nothing else. */
export async function readStoreFlags(
  context: CommandContext,
  disk: Disk,
  project: string,
): Promise<SeenStoreFlags> {
  try {
    const flags = await openStoreFlags(context, disk, project);
    return flags ? { stored: orThrow(await flags.read()), warnings: [] } : { warnings: [] };
  } catch (cause) {
    if (!(cause instanceof PalimpsestError)) throw cause;
    const message = `The store's flags are not known, and no session opens: ${cause.message}`;
    return { warnings: [{ setting: "flags of the store", value: "", message }] };
  }
}

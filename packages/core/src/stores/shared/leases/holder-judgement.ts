import type { Processes, ProcessIdentity } from "../../../spec/index.ts";

/** `unsure`: the holder lives in a world whose processes cannot be seen from here. */
export type HolderState = "alive" | "dead" | "unsure";

/** Whether the process that holds a lease or a lock still lives; a paused one does. */
export async function judgeHolder(
  holder: ProcessIdentity,
  self: ProcessIdentity,
  look: Processes["look"],
): Promise<HolderState> {
  if (holder.host !== self.host) return "unsure";
  if (holder.bootId === "unknown" || self.bootId === "unknown") return "unsure";
  if (holder.bootId !== self.bootId) return "dead";
  if (holder.pidNamespace !== self.pidNamespace) return "unsure";
  const seen = await look(holder.pid);
  if (seen.state !== "alive") return seen.state === "gone" ? "dead" : "unsure";
  return seen.startTime === holder.startTime ? "alive" : "dead";
}

import {
  fail,
  type LeaseHolder,
  type Processes,
  type ProcessIdentity,
  type Result,
} from "../../spec/index.ts";

/** `unsure`: the holder lives in a world whose processes cannot be seen from here. */
type HolderState = "alive" | "dead" | "unsure";

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

/** How often a holder shows that it lives, and how long a check holds good. */
export const heartbeatMs = 10_000;

/** How old a heartbeat must be before `takeOver` may take a lease from a holder not proven dead. */
export const leasePatienceMs = 60_000;

/** The refusal of a lease that somebody else has. */
export function refuseHeld(
  name: string,
  holder: LeaseHolder,
  state: "alive" | "unsure",
  ageMs: number,
): Result<never> {
  const who = `process ${holder.pid} on ${holder.host.split("/")[0]}`;
  const seconds = Math.max(0, Math.round(ageMs / 1000));
  const fix =
    state === "alive"
      ? "Close it there, or open this session read-only, or fork it."
      : ageMs > leasePatienceMs
        ? "If that process is gone, open again with --take-over; else open read-only, or fork."
        : `Open read-only, or fork; if that process is gone, --take-over works ${Math.ceil((leasePatienceMs - ageMs) / 1000)} s from now.`;
  return fail("held", `Session ${name} is open in ${who}, last heard of ${seconds} s ago.`, {
    path: name,
    fix,
    retryable: true,
    facts: { holder, state },
  });
}

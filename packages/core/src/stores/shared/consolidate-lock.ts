import {
  type Clock,
  type ConsolidateLock,
  type ConsolidationHolder,
  fail,
  ok,
  type Processes,
  type Result,
} from "../../spec/index.ts";
import { judgeHolder } from "./leases.ts";

/** How long a holder is left alone whose life cannot be told. */
export const consolidationPatienceMs = 60 * 60 * 1000;

/** `null`: it may be taken. Else the refusal, which names the holder. */
export async function judgeLock(
  path: string,
  holder: ConsolidationHolder | null,
  { clock, processes }: { readonly clock: Clock; readonly processes: Processes },
): Promise<Result<never> | null> {
  if (holder === null) return null;
  const state = await judgeHolder(holder, await processes.self(), processes.look);
  if (state === "dead") return null;
  // A holder from the future has a clock that cannot be believed either.
  const ageMs = Math.abs(clock.now() - holder.sinceMs);
  if (state === "unsure" && ageMs > consolidationPatienceMs) return null;
  const who = `process ${holder.pid} on ${holder.host.split("/")[0]}`;
  return fail(
    "held",
    `Memory is being put in order by ${who}, since ${new Date(holder.sinceMs).toISOString()}.`,
    {
      path,
      fix:
        state === "alive"
          ? "Wait until it has ended, or end it."
          : `Wait until it has ended; if that process is gone, the lock is free ${Math.ceil((consolidationPatienceMs - ageMs) / 60_000)} min from now.`,
      retryable: true,
      facts: { holder, state },
    },
  );
}

/** Gives a lock back for a holder that died; leaves everything as it is for any other. */
export async function restoreLock(
  read: () => Promise<Result<{ readonly holder: ConsolidationHolder | null }>>,
  acquire: ConsolidateLock["acquire"],
): ReturnType<ConsolidateLock["restore"]> {
  const found = await read();
  if (!found.ok) return found;
  if (found.value.holder === null) return ok("free");
  const taken = await acquire();
  if (!taken.ok) return taken.error.code === "held" ? ok("held") : taken;
  const given = await taken.value.abandon();
  return given.ok ? ok("restored") : given;
}

import type { SessionHandle } from "@palimpsest/core";
import { fail, type Result } from "@palimpsest/core/spec";
import type { LoopSetup } from "./run.ts";

/** Tokens of the request that would be sent now, as the model's own endpoint counts them. */
export async function countRequest(handle: SessionHandle, setup: LoopSetup): Promise<Result<number>> {
  const { model } = handle.head();
  const found = await setup.modelFor(model);
  if (!found.ok) return found;
  const { count } = found.value;
  if (!count)
    return fail("invalid-input", `The server of ${model} does not count tokens.`, {
      path: "model",
      fix: "Use the estimate that “session.usage” gives.",
    });
  const prepared = await handle.prepare({ trigger: "auto" });
  return prepared.ok ? count.call(found.value, prepared.value.request) : prepared;
}

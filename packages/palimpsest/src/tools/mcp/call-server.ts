import type { ToolContext, ToolOutcome } from "@palimpsest/core/spec";
import {
  abortedOutcome,
  lostOutcome,
  notMadeOutcome,
  removedOutcome,
  stalledOutcome,
} from "./call-outcomes.ts";
import type { Connection } from "./connection.ts";
import { makeCall } from "./make-call.ts";
import type { ServerLink } from "./server-link.ts";
import { maskSecrets } from "./server-target.ts";

export interface ServerCall {
  readonly server: string;
  readonly tool: string;
  readonly input: unknown;
  readonly context: Pick<ToolContext, "signal" | "progress">;
}

/** Makes a call, once more where the server has certainly not done anything. What goes wrong is said. Never rejects. */
export async function callServer(link: ServerLink, call: ServerCall): Promise<ToolOutcome> {
  const { server, tool, input, context } = call;
  const isReadOnly = link.tools().some((one) => one.name === tool && one.isReadOnly);
  const called = { server, tool, isReadOnly };
  for (let isAgain = false; ; isAgain = true) {
    const reached = await untilAborted(link.connected(), context.signal);
    if (reached === "aborted") return notMadeOutcome(called, "the call was cancelled");
    if (!reached.ok) return notMadeOutcome(called, reached.error.message, reached.error.fix);
    if (!link.tools().some((one) => one.name === tool)) return removedOutcome(called);
    const end = await makeCall({ ...link.options, connection: reached.value, context }, tool, input);
    switch (end.kind) {
      case "answered":
        link.proveAlive();
        return end.outcome;
      case "aborted":
        return abortedOutcome(called);
      case "refused":
        return notMadeOutcome(called, `it refused the request (${end.why})`, "Tell the user.");
      case "stalled":
        void link.drop(reached.value);
        return stalledOutcome(called, link.options.numbers.stalledMs);
      case "lost":
        return lostOutcome(called, await explainLoss(link, reached.value, end.why));
      case "not-made":
        void link.drop(reached.value);
        if (isAgain) return notMadeOutcome(called, end.why);
    }
  }
}

/** A program that has ended has said why on its error output; an address tells nothing more. */
async function explainLoss(link: ServerLink, connection: Connection, why: string): Promise<string> {
  if (connection.isOpen()) {
    void link.drop(connection);
    return maskSecrets(why, link.target);
  }
  await connection.closed;
  const traces = connection.traces();
  return maskSecrets(["its program ended", traces].filter((text) => text !== "").join(". "), link.target);
}

function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | "aborted"> {
  if (signal.aborted) return Promise.resolve("aborted");
  return new Promise((resolve) => {
    const abort = () => resolve("aborted");
    signal.addEventListener("abort", abort, { once: true });
    void promise.then((value) => {
      signal.removeEventListener("abort", abort);
      resolve(value);
    });
  });
}

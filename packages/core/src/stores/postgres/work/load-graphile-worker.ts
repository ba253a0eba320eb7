import type * as graphileWorker from "graphile-worker";
import { fail, ok, type Result } from "../../../spec/index.ts";

export type GraphileWorker = typeof graphileWorker;

/** The queue, loaded when work is queued for the first time or done by a worker. */
export async function loadGraphileWorker(): Promise<Result<GraphileWorker>> {
  try {
    return ok(await import("graphile-worker"));
  } catch (cause) {
    return fail(
      "not-found",
      "Work on other machines needs the package “graphile-worker”, which is not installed.",
      {
        fix: "Install it beside palimpsest: npm install graphile-worker",
        cause,
      },
    );
  }
}

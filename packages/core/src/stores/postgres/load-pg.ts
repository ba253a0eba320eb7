import type pg from "pg";
import { fail, ok, type Result } from "../../spec/index.ts";

export type Pg = typeof pg;

/** The driver, loaded when a database is opened: who keeps files never needs it. */
export async function loadPg(): Promise<Result<Pg>> {
  try {
    return ok((await import("pg")).default);
  } catch (cause) {
    return fail("not-found", "A store on Postgres needs the package “pg”, which is not installed.", {
      fix: "Install it beside palimpsest: npm install pg",
      cause,
    });
  }
}

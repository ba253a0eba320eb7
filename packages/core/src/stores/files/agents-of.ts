import { type Disk, ok, type Result } from "../../spec/index.ts";
import type { Layout } from "../shared/layout.ts";

const logSuffix = ".jsonl";

/** The forks that live inside a session, as session ids. */
export async function agentsOf(
  disk: Disk,
  layout: Layout,
  session: string,
): Promise<Result<readonly string[]>> {
  if (session.includes("/")) return ok([]);
  const names = await disk.list(`${layout.sessions}/${session}.agents`);
  if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
  const logs = names.value.filter((name) => name.endsWith(logSuffix));
  return ok(logs.map((name) => `${session}/${name.slice(0, -logSuffix.length)}`));
}

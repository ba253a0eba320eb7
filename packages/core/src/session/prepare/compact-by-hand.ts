import {
  type CompactionReport,
  type CompactRequest,
  type Entry,
  fail,
  type LayerReport,
  ok,
  PalimpsestError,
  type Result,
  type ViewItem,
} from "../../spec/index.ts";
import type { SessionLog } from "../session-log.ts";
import type { LayerOutcome } from "./run-layers.ts";

/** What is wrong with what a person asks for; `null` where nothing is. */
export function checkCompactRequest(
  request: CompactRequest,
  items: readonly ViewItem[],
): Result<never> | null {
  const { instructions, from, upTo } = request;
  for (const [path, value] of Object.entries({ instructions, from, upTo }))
    if (value !== undefined && typeof value !== "string")
      return fail("invalid-input", `${path}: it is no text.`, { path, fix: "Give a text, or leave it out." });
  if (from !== undefined && upTo !== undefined)
    return fail("invalid-input", "“from” and “upTo” are both given.", {
      path: "from",
      fix: "Give one of them: what comes after a message is compacted, or what comes before it.",
    });
  const named = from ?? upTo;
  if (named === undefined || items.some(({ entry }) => entry === named)) return null;
  return fail("not-found", `There is no message ${named} in what the model sees.`, {
    path: named,
    fix: "Name the entry of a message that was not compacted yet: “session.entries()” lists them.",
  });
}

/** Why nothing was compacted, in the words of whoever knows. */
export function notCompacted({ errors, reports }: LayerOutcome): Result<never> {
  const error = errors.at(-1);
  if (error) return { ok: false, error };
  const reason = reports.findLast(({ moment }) => moment === "before-request")?.reason ?? "no layer compacts";
  return fail("conflict", `Nothing was compacted: ${reason}.`, {
    fix: "See “session.plan()” for what each layer says.",
  });
}

/** What a compaction came to, its summary whole: a large one stands in the log as a reference. */
export async function readCompactionReport(
  log: SessionLog,
  { id, seq }: Pick<Entry, "id" | "seq">,
  layers: readonly LayerReport[],
): Promise<Result<CompactionReport>> {
  for await (const entry of log.readAfter(seq - 1, (one) => one.id === id)) {
    if (!entry.ok) return entry;
    if (entry.value.id === id) return ok(toCompactionReport(entry.value, layers));
  }
  return fail("corrupt", `The compaction ${id} is not in the log.`, { path: id });
}

function toCompactionReport(entry: Entry, layers: readonly LayerReport[]): CompactionReport {
  if (entry.kind !== "decision" || entry.decision.type !== "compact")
    throw new PalimpsestError("corrupt", `${entry.id} is no compaction.`);
  const { strategy, part, tokensBefore, tokensAfter, summary, modelFailure } = entry.decision;
  const text = typeof summary?.content === "string" ? summary.content : "";
  const about = {
    decision: entry.id,
    strategy,
    ...(part && { part }),
    ...(modelFailure && { modelFailure }),
  };
  return { ...about, tokensBefore, tokensAfter, summary: text, layers };
}

/** Why nothing may be snipped; `null` where it may. */
export function snipRefusal(isOn: boolean, ids: unknown): Result<never> | null {
  if (!isOn) return fail("denied", "Snipping is off.", { fix: "Turn the flag “snip” on." });
  const areIds = ids === undefined || (Array.isArray(ids) && ids.every((id) => typeof id === "string"));
  return areIds
    ? null
    : fail("invalid-input", "ids: they are no list of texts.", { path: "ids", fix: "Give ids, or none." });
}

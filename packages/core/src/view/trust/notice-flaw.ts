import { parseJson } from "../../json/json-values.ts";
import type { ResultFlaw } from "./call-trust.ts";
import { recalledTrust } from "./find-support.ts";
import { fileTrust, type TaintSource, type TrustLocations } from "./locations.ts";

/** Notices by the engine itself, from what the user has set up. */
const ownNotices: ReadonlySet<string> = new Set(["mode", "skills", "surroundings"]);

/** Notices the agent wrote: as good as what it had in view then. */
const agentNotices: ReadonlySet<string> = new Set(["plan", "plan_file_reference", "todo", "todos"]);

/**
 * The flaw in something that was attached; `null` where it is trusted. `isTainted`: whether untrusted content is or was
 * in view. Kinds that are not known are untrusted.
 */
export function noticeFlaw(
  subtype: string,
  text: string | undefined,
  isTainted: boolean,
  locations: TrustLocations,
): ResultFlaw | null {
  if (ownNotices.has(subtype)) return null;
  if (agentNotices.has(subtype)) return isTainted ? { kind: "answer", name: subtype } : null;
  if (subtype === "rules" || subtype === "file") {
    const path = text === undefined ? undefined : namedFile(subtype, text);
    if (subtype === "rules" && isUnconfirmed(text)) return { kind: "notice", name: path ?? subtype };
    const standing = path === undefined ? "outside-file" : fileTrust(path, locations);
    return standing === "trusted" ? null : { kind: standing, name: path ?? subtype };
  }
  if (subtype === "memory") {
    return recalledTrust(text ?? "") === "trusted" ? null : { kind: "memory", name: subtype };
  }
  return { kind: "notice", name: subtype };
}

/** The file a notice says it is about, in its first line. */
function namedFile(subtype: "rules" | "file", text: string): string | undefined {
  if (subtype === "rules") {
    const { path } = rulesHeader(text);
    return typeof path === "string" ? path : undefined;
  }
  const [line = ""] = text.split("\n", 1);
  return /^(.+) \(as it is now\)$/.exec(line)?.[1];
}

/** Rules that were written while untrusted text was in view, and that no person has confirmed. */
function isUnconfirmed(text = ""): boolean {
  return rulesHeader(text).isUnconfirmed === true;
}

function rulesHeader(text: string): { readonly path?: unknown; readonly isUnconfirmed?: unknown } {
  const [line = ""] = text.split("\n", 1);
  const [, json = "{}"] = /^\[rules (\{.*\})\]$/.exec(line) ?? [];
  return parseJson(json) ?? {};
}

/** The untrusted content in the view, the newest first: adding costs the same, however long it is. */
export interface Carriers {
  readonly source: TaintSource;
  readonly seq: number;
  readonly before: Carriers | undefined;
}

export function* carriersOf(carriers: Carriers | undefined): Generator<Carriers> {
  for (let at = carriers; at !== undefined; at = at.before) yield at;
}

/** Those that are to be kept, in the same order; the very same where all are. */
export function keptCarriers(
  carriers: Carriers | undefined,
  keep: (carrier: Carriers) => boolean,
): Carriers | undefined {
  let kept: Carriers | undefined;
  for (const carrier of oldestFirst(carriers)) {
    if (!keep(carrier)) continue;
    kept = carrier.before === kept ? carrier : { source: carrier.source, seq: carrier.seq, before: kept };
  }
  return kept;
}

/** All of them, each with the source that `change` gives it. */
export function changedCarriers(
  carriers: Carriers | undefined,
  change: (carrier: Carriers) => TaintSource,
): Carriers | undefined {
  let changed: Carriers | undefined;
  for (const carrier of oldestFirst(carriers))
    changed = { source: change(carrier), seq: carrier.seq, before: changed };
  return changed;
}

function oldestFirst(carriers: Carriers | undefined): readonly Carriers[] {
  const list: Carriers[] = [];
  for (let at = carriers; at !== undefined; at = at.before) list.push(at);
  return list.reverse();
}

import type { ResultFlaw } from "./call-standing.ts";
import { standingOf, type TrustLocations } from "./locations.ts";
import { recalledTrust } from "./render-memory.ts";

/** What the engine says itself, from what the user has set up. */
const ownNotices: ReadonlySet<string> = new Set(["mode", "skills", "surroundings"]);

/** What the agent wrote: as good as what it had before its eyes then. */
const agentNotices: ReadonlySet<string> = new Set(["plan", "plan_file_reference", "todo", "todos"]);

/**
 * What is wrong with something that was attached; `null` where it is trusted. `isTainted`: whether untrusted content is or
 * was in view. Kinds that are not known are untrusted.
 */
export function noticeFlaw(
  subtype: string,
  text: string | undefined,
  isTainted: boolean,
  places: TrustLocations,
): ResultFlaw | null {
  if (ownNotices.has(subtype)) return null;
  if (agentNotices.has(subtype)) return isTainted ? { kind: "answer", name: subtype } : null;
  if (subtype === "rules" || subtype === "file") {
    const path = text === undefined ? undefined : namedFile(subtype, text);
    if (subtype === "rules" && isUnconfirmed(text)) return { kind: "notice", name: path ?? subtype };
    const standing = path === undefined ? "outside-file" : standingOf(path, places);
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
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

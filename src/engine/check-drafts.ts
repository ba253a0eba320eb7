import { isSoundDecision } from "../context/projection/sound-decision.ts";
import { soundMessage } from "../context/projection/sound-message.ts";
import { type EntryDraft, fail, ok, type Result } from "../spec/index.ts";

/** What a layer made, if it can be appended; a log must never hold what nobody can read. */
export function checkDrafts(drafts: unknown): Result<readonly EntryDraft[]> {
  if (!Array.isArray(drafts)) return refused("it gave no list of drafts");
  for (const [index, draft] of drafts.entries()) {
    const fault = draftFault(draft);
    if (fault !== null) return refused(`draft ${index} ${fault}`);
  }
  return ok(drafts);
}

function draftFault(draft: unknown): string | null {
  if (typeof draft !== "object" || draft === null) return "is no object";
  const { kind, id, message, decision, note } = draft as Record<string, unknown>;
  if (id !== undefined && (typeof id !== "string" || id === "")) return "has an id that is none";
  if (kind === "message") return isObject(message) && isSoundMessage(message) ? null : "has no message";
  if (kind === "decision") return isSoundDecision(decision) ? null : "has no decision of a known kind";
  return kind === "note" && isObject(note) ? null : "is of no kind that a layer may append";
}

function isSoundMessage(message: object): boolean {
  const { type } = message as { readonly type?: unknown };
  return typeof type === "string" && soundMessage(message as Parameters<typeof soundMessage>[0]) === message;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function refused(what: string): Result<never> {
  return fail("invalid-input", `What the layer made was not appended: ${what}.`, {
    fix: "This is a fault of the layer.",
  });
}
